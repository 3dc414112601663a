package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.kernel.Live;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel's verifier and ours say of functions that are checked by themselves. */
@Tag("live")
@Tag("oldest")
class GlobalFunctionsIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call global f ; exit ; f: r0 = 8 ; exit",
        "r6 = 0 ; a: call global f ; if r0 != 0x0 goto b ; r6 += 1 ; if r6 < 0x7f goto a ; b: r0 = r6"
            + " ; exit ; f: call bpf_get_prandom_u32 ; r0 &= 1 ; exit",
        "call global f ; exit ; f: call g ; exit ; g: r0 = 3 ; exit",
        "r1 = 4 ; call g ; r6 = r0 ; call global f ; r0 += r6 ; exit ; f: r0 = 1 ; exit ; g: r0 = r1"
            + " ; exit",
        "*(u64 *)(r10 -8) = 0 ; call global f ; exit ; f: *(u64 *)(r10 -480) = 0 ; r0 = 1 ; exit",
      })
  void bothAccept(String text) {
    assertThat(ours(text)).isEmpty();
    assertThat(kernel(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call global f ; exit ; f: r0 = r1 ; exit",
        "call global f ; r0 = 0 ; exit ; f: r0 = r10 ; exit",
        "call global f ; r0 = r1 ; exit ; f: r0 = 0 ; exit",
        "call global f ; r1 = r10 ; r1 -= r0 ; r0 = *(u8 *)(r1 +0) ; exit ; f: r0 = 8 ; exit",
        "call global f ; exit ; f: r2 = 1 ; a: r2 += 0 ; if r2 != 0x0 goto a ; r0 = 0 ; exit",
      })
  void bothRefuse(String text) {
    assertThat(ours(text)).isNotEmpty();
    assertThat(kernel(text)).isNotEmpty();
  }

  private static BpfProgram program(String text) {
    return new BpfProgram(
        "global",
        ProgramType.RAW_TRACEPOINT,
        8,
        Assembler.assemble("global", text.replace(" ; ", "\n")));
  }

  private static List<String> ours(String text) {
    return new Verifier(List.of())
        .verify(program(text)).violations().stream().map(violation -> violation.message()).toList();
  }

  private static String kernel(String text) {
    try (KernelVerdicts verdicts = new KernelVerdicts(List.of());
        KernelVerdicts.Verdict verdict = verdicts.of(program(text))) {
      return verdict.isAccepted() ? "" : verdict.log() + " ";
    }
  }
}
