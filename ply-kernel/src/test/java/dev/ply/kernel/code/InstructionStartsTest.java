package dev.ply.kernel.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.code.InstructionStarts.Finding;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instructions as an assembler writes them, and what is between them. */
class InstructionStartsTest {
  private static byte[] code(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }

  @ParameterizedTest
  @CsvSource({
    "ret,                                   c3",
    "endbr64,                               f3 0f 1e fa",
    "'sub $8,%rsp',                         48 83 ec 08",
    "'sub $1000,%rsp',                      48 81 ec e8 03 00 00",
    "'add x(%rip),%esi',                    03 35 cf 2e 00 00",
    "'movabs $x,%rax',                      48 b8 88 77 66 55 44 33 22 11",
    "'movabs x,%al',                        a0 88 77 66 55 44 33 22 11",
    "'mov $5,%ax',                          66 b8 05 00",
    "'movq $-1,8(%rsp,%rcx,4)',             48 c7 44 8c 08 ff ff ff ff",
    "'movw $1,(%rax)',                      66 c7 00 01 00",
    "'imul $100,%rdi,%rax',                 48 6b c7 64",
    "'imul $1000,%edi,%eax',                69 c7 e8 03 00 00",
    "'testb $1,(%rdi)',                     f6 07 01",
    "'not %eax',                            f7 d0",
    "'test $x,%eax',                        a9 78 56 34 12",
    "'enter $16,$0',                        c8 10 00 00",
    "'nopw %cs:0(%rax,%rax,1)',             66 66 2e 0f 1f 84 00 00 00 00 00",
    "'data16 call __tls_get_addr',          66 66 48 e8 00 00 00 00",
    "'jne far',                             0f 85 e2 03 00 00",
    "'bt $3,%eax',                          0f ba e0 03",
    "'shld $4,%rax,%rdx',                   48 0f a4 c2 04",
    "'mov %cr3,%rax',                       0f 20 d8",
    "'pshufd $0,%xmm0,%xmm1',               66 0f 70 c8 00",
    "'pshufb %xmm1,%xmm0',                  66 0f 38 00 c1",
    "'palignr $8,%xmm1,%xmm0',              66 0f 3a 0f c1 08",
    "vzeroupper,                            c5 f8 77",
    "'vpshufd $0,%ymm0,%ymm1',              c5 fd 70 c8 00",
    "'vpbroadcastb (%rsi),%ymm0',           c4 e2 7d 78 06",
    "'vinserti128 $1,(%rax),%ymm0,%ymm0',   c4 e3 7d 38 00 01",
    "'vmovdqu64 64(%rsi),%zmm16',           62 e1 fe 48 6f 46 01",
    "'vpternlogd $255,%zmm0,%zmm0,%zmm0',   62 f3 7d 48 25 c0 ff",
    "'vprotd $9,%xmm2,%xmm0',               8f e8 78 c2 c2 09",
  })
  void itsLengthIsKnown(String text, String hex) {
    byte[] code = code(hex);
    assertThat(X86Length.at(code, 0, true)).as(text).isEqualTo(code.length);
    byte[] cut = Arrays.copyOf(code, code.length - 1);
    assertThat(X86Length.at(cut, 0, true)).as("%s, cut", text).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "inc %eax,                              40",
    "pusha,                                 60",
    "'mov x,%eax',                          a1 44 33 22 11",
    "'les (%eax),%ecx',                     c4 08",
    "'bound %eax,(%ecx)',                   62 01",
    "'mov 4660(%bx),%ax',                   67 66 8b 87 34 12",
    "'ljmp $7,$x',                          ea 78 56 34 12 07 00",
  })
  void itsLengthIn32BitCodeIsKnown(String text, String hex) {
    assertThat(X86Length.at(code(hex), 0, false)).as(text).isEqualTo(code(hex).length);
  }

  @Test
  void whatIsInsideAnInstructionIsTold() {
    byte[] code = code("48 83 ec 08 89 fe c3");
    assertThat(InstructionStarts.decode(code, 4, true)).isEqualTo(new Finding.Start());
    assertThat(InstructionStarts.decode(code, 6, true)).isEqualTo(new Finding.Start());
    assertThat(InstructionStarts.decode(code, 1, true)).isEqualTo(new Finding.Inside(0, 4));
    assertThat(InstructionStarts.decode(code, 5, true)).isEqualTo(new Finding.Inside(4, 6));
    assertThat(InstructionStarts.decode(code, 7, true)).isEqualTo(new Finding.Undecoded(7));
  }

  @Test
  void nothingStartsAfterBytesWithoutAMeaning() {
    byte[] code = code("89 fe 06 90 90 90");
    assertThat(InstructionStarts.decode(code, 4, true)).isEqualTo(new Finding.Undecoded(2));
  }

  @Property
  void everyStartIsReachedFromTheOneBefore(@ForAll byte[] code, @ForAll boolean is64) {
    int at = 0;
    int length = 1;
    while (at < code.length && length > 0) {
      assertThat(InstructionStarts.decode(code, at, is64))
          .isInstanceOfAny(Finding.Start.class, Finding.Undecoded.class);
      length = X86Length.at(code, at, is64);
      assertThat(length).isBetween(0, 15);
      for (int inside = 1; inside < length; inside++) {
        assertThat(InstructionStarts.decode(code, at + inside, is64))
            .isEqualTo(new Finding.Inside(at, at + length));
      }
      at += length;
    }
  }
}
