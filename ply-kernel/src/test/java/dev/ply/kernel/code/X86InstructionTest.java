package dev.ply.kernel.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instructions as an assembler writes them. */
class X86InstructionTest {
  private static byte[] code(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }

  @ParameterizedTest
  @CsvSource({
    "push %rbp,           55",
    "push %r12,           41 54",
    "jmp,                 eb 00",
    "jmp far,             e9 e3 03 00 00",
    "jne,                 75 03",
    "jne far,             0f 85 e2 03 00 00",
    "call,                e8 e3 03 00 00",
    "nop,                 90",
  })
  void theKernelEmulatesIt(String text, String hex) {
    assertThat(X86Instruction.at(code(hex), 0))
        .as(text)
        .contains(new X86Instruction(code(hex).length, true));
  }

  @ParameterizedTest
  @CsvSource({
    "endbr64,                      f3 0f 1e fa",
    "'nopw (%rax,%rax,1)',         66 0f 1f 04 00",
    "'xchg %ax,%ax',               66 90",
    "'xchg %rax,%rax',             48 90",
    "'cmpb $0,x(%rip)',            80 3d 31 33 0e 00 00",
    "'cmpl $x,16(%rdi)',           81 7f 10 78 56 34 12",
    "'cmpw $x,16(%rdi)',           66 81 7f 10 34 12",
    "'cmp 16(%r14),%rsp',          49 3b 66 10",
    "'test %rdi,%rdi',             48 85 ff",
    "'testb $1,24(%rdi,%rsi,8)',   f6 44 f7 18 01",
    "'testl $x,(%rdi)',            f7 07 00 00 08 00",
    "'mov %fs:24,%eax',            64 8b 04 25 18 00 00 00",
    "'mov %rdi,%rax',              48 89 f8",
    "'mov %rdi,%r12',              49 89 fc",
    "'mov $110,%eax',              b8 6e 00 00 00",
    "'movabs $x,%r10',             49 ba f0 de bc 9a 78 56 34 12",
    "'lea x(%rip),%rax',           48 8d 05 34 12 00 00",
    "'xor %eax,%eax',              31 c0",
    "'xor %r11d,%r11d',            45 31 db",
    "'cmp $1,%al',                 3c 01",
    "'cmp $x,%eax',                3d 45 23 01 00",
    "'mov (,%rcx,8),%rax',         48 8b 04 cd 00 00 00 00",
  })
  void aProbeOfAFunctionDoesNotSeeIt(String text, String hex) {
    assertThat(X86Instruction.at(code(hex), 0))
        .as(text)
        .contains(new X86Instruction(code(hex).length, false));
  }

  @ParameterizedTest
  @CsvSource({
    "'mov %rsi,%rdi',      48 89 f7",
    "'xchg %r8,%rax',      49 90",
    "'xchg %r8w,%ax',      66 41 90",
    "'xor %edx,%edx',      31 d2",
    "'mov $1,%r8d',        41 b8 01 00 00 00",
    "'lea 8(%rsp),%rdi',   48 8d 7c 24 08",
    "'sub $8,%rsp',        48 83 ec 08",
    "'mov %rax,(%rdi)',    48 89 07",
    "'addl $1,(%rdi)',     83 07 01",
    "'not %eax',           f7 d0",
    "syscall,              0f 05",
    "push (%rdi),          ff 37",
    "bnd jmp,              f2 e9 e2 03 00 00",
    "jmp of 16 bits,       66 e9 e2 03",
    "rep stosb,            f3 aa",
    "ret,                  c3",
    "vzeroupper,           c5 f8 77",
    "lock cmpxchg,         f0 0f b1 0f",
  })
  void anythingElseIsOfNoInterest(String text, String hex) {
    assertThat(X86Instruction.at(code(hex), 0)).as(text).isEmpty();
  }

  @Property
  void noneReachesBehindTheCode(@ForAll byte[] code) {
    for (int i = 0; i <= code.length; i++) {
      int rest = code.length - i;
      assertThat(X86Instruction.at(code, i).stream())
          .allMatch(instruction -> instruction.length() > 0 && instruction.length() <= rest);
    }
  }
}
