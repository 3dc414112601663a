package dev.ply.kernel.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.name.Errno;
import org.junit.jupiter.api.Test;

final class VerifierRejectionTest {
  @Test
  void theSummaryIsTheEndWithoutTheStatistics() {
    String log =
        """
        0: R1=ctx() R10=fp0
        0: (b7) r0 = 0
        1: (79) r2 = *(u64 *)(r0 +0)
        R0 invalid mem access 'scalar'
        verification time 12 usec
        stack depth 0
        processed 2 insns (limit 1000000) max_states_per_insn 0

        """;
    assertThat(VerifierRejection.summary(log).lines())
        .containsExactly(
            "0: (b7) r0 = 0", "1: (79) r2 = *(u64 *)(r0 +0)", "R0 invalid mem access 'scalar'");
  }

  @Test
  void givingUpIsNotFindingFault() {
    assertThat(rejection("BPF program is too large. Processed 1000001 insn\n").isTooComplex())
        .isTrue();
    assertThat(rejection("The sequence of 8193 jumps is too complex.\n").isTooComplex()).isTrue();
    assertThat(rejection("R0 invalid mem access 'scalar'\n").isTooComplex()).isFalse();
  }

  @Test
  void aHelperThatTheKernelExcludesIsNamed() {
    assertThat(
            rejection("program of this type cannot use helper bpf_probe_write_user#36\n")
                .excludedHelper())
        .contains("bpf_probe_write_user");
    assertThat(rejection("unknown func bpf_override_return#58\n").excludedHelper())
        .contains("bpf_override_return");
    assertThat(rejection("cannot use helper bpf_get_func_ip#173\n").excludedHelper()).isEmpty();
  }

  private static VerifierRejection rejection(String log) {
    return new VerifierRejection("f", new KernelException(Errno.E2BIG, "bpf(PROG_LOAD)"), log);
  }
}
