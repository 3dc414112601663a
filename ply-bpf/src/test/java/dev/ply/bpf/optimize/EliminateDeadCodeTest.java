package dev.ply.bpf.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import org.junit.jupiter.api.Test;

class EliminateDeadCodeTest {
  private static void assertBecomes(String before, String after) {
    assertThat(
            Disassembler.listing(new EliminateDeadCode().apply(Assembler.assemble("test", before))))
        .isEqualTo(Disassembler.listing(Assembler.assemble("test", after)));
  }

  @Test
  void removesUnreachableCode() {
    assertBecomes("r0 = 1\ngoto out\nr0 = 2\nout:\nexit", "r0 = 1\nexit");
  }

  @Test
  void removesDeadValuesAndTheirOperands() {
    assertBecomes("r3 = 5\nr4 = r3\nr5 = *(u64 *)(r10 -8)\nr0 = 0\nexit", "r0 = 0\nexit");
  }

  @Test
  void keepsAValueThatOneBranchNeeds() {
    String code = "r3 = 5\nr0 = *(u64 *)(r1 +0)\nif r0 == 0 goto out\nr0 = r3\nout:\nexit";
    assertBecomes(code, code);
  }

  @Test
  void removesAnOverwrittenValue() {
    assertBecomes("r0 = 1\nr0 = 2\nexit", "r0 = 2\nexit");
  }

  @Test
  void keepsCallsAndStores() {
    String code = "call bpf_ktime_get_ns\n*(u64 *)(r10 -8) = 1\nr0 = 0\nexit";
    assertBecomes(code, code);
  }

  @Test
  void removesAJumpToTheNextInstruction() {
    assertBecomes("r0 = 1\nif r0 == 1 goto a\na:\ngoto b\nb:\nexit", "r0 = 1\nexit");
  }

  @Test
  void keepsAReachableLoop() {
    String code = "r0 = 5\nagain:\nr0 -= 1\nif r0 != 0 goto again\nexit";
    assertBecomes(code, code);
  }
}
