package dev.ply.kernel.privilege;

import static dev.ply.kernel.privilege.Capability.CAP_BPF;
import static dev.ply.kernel.privilege.Capability.CAP_DAC_READ_SEARCH;
import static dev.ply.kernel.privilege.Capability.CAP_PERFMON;
import static dev.ply.kernel.privilege.Capability.CAP_SYSLOG;
import static dev.ply.kernel.privilege.Capability.CAP_SYS_ADMIN;
import static dev.ply.kernel.privilege.Capability.CAP_SYS_PTRACE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CapabilitySetTest {
  private static final CapabilitySet BPF_AND_PERFMON =
      CapabilitySet.of("CapEff:\t000000c000000000\nCapBnd:\t000001ffffffffff\n");
  private static final CapabilitySet CONTAINER =
      CapabilitySet.of("CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\n");

  @Test
  void numbersAreTheKernels() {
    assertThat(CapabilitySet.of("CapEff:\t0000000000000004\n").has(CAP_DAC_READ_SEARCH)).isTrue();
    assertThat(CapabilitySet.of("CapEff:\t0000000000080000\n").has(CAP_SYS_PTRACE)).isTrue();
    assertThat(CapabilitySet.of("CapEff:\t0000000400000000\n").has(CAP_SYSLOG)).isTrue();
    assertThat(BPF_AND_PERFMON.has(CAP_BPF)).isTrue();
    assertThat(BPF_AND_PERFMON.has(CAP_SYS_ADMIN)).isFalse();
  }

  @Test
  void theAdministratorMayLoadAndTraceButDoesNotSeeAddresses() {
    CapabilitySet admin = CapabilitySet.of("CapEff:\t0000000000200000\n");
    assertThat(admin.missing(List.of(CAP_BPF, CAP_PERFMON, CAP_SYSLOG)))
        .containsExactly(CAP_SYSLOG);
  }

  @Test
  void theRemedyKeepsWhatThereIs() {
    assertThat(BPF_AND_PERFMON.remedy(List.of(CAP_SYSLOG)))
        .isEqualTo(
            "run as root, or let root run setpriv --reuid=USER --regid=GROUP --init-groups"
                + " --inh-caps=+syslog,+perfmon,+bpf --ambient-caps=+syslog,+perfmon,+bpf ply ...");
  }

  @Test
  void whatTheBoundingSetLacksOnlyTheContainerGets() {
    assertThat(CONTAINER.remedy(List.of(CAP_BPF, CAP_PERFMON)))
        .isEqualTo(
            "no process started here can have them, as in a container: start that with"
                + " --cap-add=BPF --cap-add=PERFMON");
    assertThat(CONTAINER.remedy(List.of(CAP_SYSLOG)))
        .isEqualTo(
            "no process started here can have it, as in a container: start that with"
                + " --cap-add=SYSLOG");
  }

  @Test
  void whoHasAllIsNotToldToGetThem() {
    assertThat(BPF_AND_PERFMON.remedy(List.of(CAP_BPF)))
        .isEqualTo("this process has it, so a security module or a user namespace forbids it here");
    assertThat(BPF_AND_PERFMON.remedy(List.of(CAP_BPF, CAP_PERFMON)))
        .startsWith("this process has them, so");
    assertThat(BPF_AND_PERFMON.remedy(List.of(CAP_BPF, CAP_SYSLOG))).startsWith("run as root");
  }

  @Test
  void whatCannotBeReadIsNothing() {
    assertThat(CapabilitySet.of("").missing(List.of(CAP_BPF))).containsExactly(CAP_BPF);
  }
}
