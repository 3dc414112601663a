package dev.ply.bpf.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.diagnostic.CompilationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MnemonicsTest {
  @Test
  void everyKindOfInstructionParses() {
    assertThat(
            kernelNotation(
                """
                # comments and empty lines
                mov %r1, -1
                mov32 %r1, 0xffffffff   # the field's bits
                sdiv %r2, %r3
                neg32 %r4
                movsx832 %r5, %r6
                be16 %r0
                swap64 %r0
                lddw %r7, 0x1122334455667788
                ldxh %r0, [%r1+2]
                ldxsw %r0, [%r10-8]
                stb [%r10-1], 7
                stxdw [%r10-16], %r2
                lock add [%r10-16], %r3
                lock fetch xor32 [%r10-8], %r3
                lock cmpxchg [%r10-16], %r3
                call helper 5
                call local f
                jslt32 %r1, %r2, out
                ja f
                out:
                exit
                f:
                exit
                """))
        .isEqualTo(
            """
               0: r1 = -1
               1: w1 = -1
               2: r2 s/= r3
               3: w4 = -w4
               4: w5 = (s8)w6
               5: r0 = be16 r0
               6: r0 = bswap64 r0
               7: r7 = 0x1122334455667788
               9: r0 = *(u16 *)(r1 +2)
              10: r0 = *(s32 *)(r10 -8)
              11: *(u8 *)(r10 -1) = 7
              12: *(u64 *)(r10 -16) = r2
              13: lock *(u64 *)(r10 -16) += r3
              14: r3 = atomic_fetch_xor((u32 *)(r10 -8), r3)
              15: r0 = atomic64_cmpxchg((u64 *)(r10 -16), r0, r3)
              16: call bpf_ktime_get_ns
              17: call f
              18: if w1 s< w2 goto out
              19: goto f
            out:
              20: exit
            f:
              21: exit
            """);
  }

  @Test
  void jumpsTargetDistancesOrTheFirstExit() {
    assertThat(
            kernelNotation(
                """
                jeq %r1, 1, +2
                lddw %r0, 7
                jne %r0, 7, exit
                ja -2
                exit
                exit
                """))
        .isEqualTo(
            """
               0: if r1 == 0x1 goto slot.3
               1: r0 = 0x7
            slot.3:
               3: if r0 != 0x7 goto exit
               4: goto slot.3
            exit:
               5: exit
               6: exit
            """);
  }

  @Test
  void everyErrorIsReportedWithItsPosition() {
    assertThat(
            errors(
                """
                mvo %r1, 1
                mov %r11, 1
                mov %r1
                jeq %r1, 1, nowhere
                lddw %r0, 7
                ja -2
                lock fetch sub [%r1], %r2
                add %r1, 0x100000000
                """))
        .containsExactly(
            "t:1:1: expected an instruction, found \"mvo\" [did you mean \"mov\"?]",
            "t:2:5: expected a register (%r0 to %r10), found \"%r11\" []",
            "t:3:8: expected \",\", found the end of the line []",
            "t:7:12: expected an atomic operation, found \"fetch_sub\" [did you mean \"fetch_add\"?]",
            "t:8:10: 0x100000000 is not between -2147483648 and 4294967295 []",
            "t:4:13: label \"nowhere\" is not defined []",
            "t:6:4: no instruction starts in slot 2, the target []");
  }

  private static String kernelNotation(String mnemonics) {
    return Disassembler.listing(Assembler.assembleMnemonics("t", mnemonics));
  }

  private static List<String> errors(String mnemonics) {
    CompilationException thrown =
        catchThrowableOfType(
            CompilationException.class, () -> Assembler.assembleMnemonics("t", mnemonics));
    return thrown.diagnostics().stream()
        .map(error -> error.span() + ": " + error.message() + " " + error.hints())
        .toList();
  }
}
