package dev.ply.bpf.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.Engine;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import dev.ply.bpf.vm.helper.Task;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions that the verifier checks by themselves. */
final class GlobalFunctionTest {
  /**
   * A loop of so many rounds that the verifier could not follow their function's 64 paths in each.
   */
  private static final String LONG_LOOP =
      """
      r6 = 0
      again: call global f
      r6 += 1
      if r6 < 0x1000 goto again
      r0 = r6
      exit
      f: call bpf_get_prandom_u32
      r7 = r0
      %sr0 = 0
      exit
      """
          .formatted(paths());

  private static String paths() {
    StringBuilder text = new StringBuilder("r8 = 0\n");
    for (int i = 0; i < 6; i++) {
      text.append("if r7 & 0x%x goto n%d\nr8 += %d\nn%d: ".formatted(1 << i, i, 1 << i, i));
    }
    return text.toString();
  }

  @Test
  void itIsCheckedOnceHoweverOftenItIsCalled() {
    assertThat(violations(LONG_LOOP)).isEmpty();
    assertThat(violations(LONG_LOOP.replace("call global", "call")))
        .singleElement()
        .asString()
        .startsWith(Exploration.TOO_COMPLEX);
    assertThat(run(LONG_LOOP)).isEqualTo(0x1000);
  }

  @Test
  void nothingIsKnownOfItsResult() {
    String text = "call global f\nr1 = r10\nr1 -= r0\nr0 = *(u8 *)(r1 +0)\nexit\nf: r0 = 8\nexit";
    assertThat(violations(text)).isNotEmpty();
  }

  @Test
  void itHasNoArgumentsAndReturnsANumber() {
    assertThat(violations("call global f\nexit\nf: r0 = r1\nexit"))
        .containsExactly("r1 is read before it is written");
    assertThat(violations("call global f\nr0 = 0\nexit\nf: r0 = r10\nexit"))
        .containsExactly("r0 is a pointer, but the program's result must be a number");
  }

  private static List<String> violations(String text) {
    return new Verifier(List.of())
        .verify(program(text)).violations().stream().map(Violation::message).toList();
  }

  private static long run(String text) {
    long result = run(text, Engine.INTERPRETER);
    assertThat(run(text, Engine.TRANSLATOR)).isEqualTo(result);
    return result;
  }

  private static long run(String text, Engine engine) {
    return new VirtualMachine(
            List.of(), 1, VmOptions.DEFAULT.withEngine(engine).withStepLimit(10_000_000))
        .run(program(text), new byte[0], Task.of(1, "a"));
  }

  private static BpfProgram program(String text) {
    return new BpfProgram(
        "global", ProgramType.RAW_TRACEPOINT, 0, Assembler.assemble("global", text));
  }
}
