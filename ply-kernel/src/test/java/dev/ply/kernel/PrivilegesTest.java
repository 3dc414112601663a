package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivilegesTest {
  private static final String NONE = "Name:\tjava\nCapEff:\t0000000000000000\n";
  private static final String ALL = "Name:\tjava\nCapEff:\t000001ffffffffff\n";
  private static final String ADMIN_ONLY = "CapEff:\t0000000000200000\n";
  private static final String BPF_ONLY = "CapEff:\t0000008000000000\n";
  private static final String BPF_AND_PERFMON = "CapEff:\t000000c000000000\n";

  @TempDir Path proc;

  @Test
  void anotherSystemIsNamed() {
    assertThat(Privileges.missing("Mac OS X", "aarch64", proc))
        .containsExactly("tracing needs Linux, and this is Mac OS X: try a simulated tracer");
  }

  @Test
  void rootOnARecentKernelLacksNothing() throws IOException {
    machine("6.12.43-cloud-amd64\n", ALL);
    assertThat(Privileges.missing("Linux", "amd64", proc)).isEmpty();
  }

  @Test
  void anOldKernelAndAnOrdinaryUserAreBothTold() throws IOException {
    machine("5.4.0-200-generic\n", NONE);
    assertThat(Privileges.missing("Linux", "amd64", proc))
        .containsExactly(
            "tracing needs Linux 5.10 or later, and this is 5.4.0-200-generic",
            "this process lacks CAP_BPF and CAP_PERFMON: run as root, or let root run setpriv"
                + " --reuid=USER --regid=GROUP --init-groups --inh-caps=+perfmon,+bpf"
                + " --ambient-caps=+perfmon,+bpf ply ...");
  }

  @Test
  void aKernelWithoutBpfIsTold() throws IOException {
    machine("6.1.0\n", ALL);
    Files.delete(proc.resolve("sys/kernel/unprivileged_bpf_disabled"));
    assertThat(Privileges.missing("Linux", "amd64", proc))
        .containsExactly("this kernel was built without bpf(2) (CONFIG_BPF_SYSCALL)");
  }

  @Test
  void rootOfANamespaceIsTold() throws IOException {
    machine("6.1.0\n", ALL);
    Files.writeString(proc.resolve("self/uid_map"), "         0       1000          1\n");
    assertThat(Privileges.missing("Linux", "amd64", proc))
        .containsExactly(
            "this process has its privileges in its user namespace only, as in a container: run it"
                + " outside, or in a privileged one");
    Files.writeString(proc.resolve("self/uid_map"), "         0          0 4294967295\n");
    assertThat(Privileges.missing("Linux", "amd64", proc)).isEmpty();
  }

  @Test
  void thirtyTwoBitsAreTold() throws IOException {
    machine("6.1.0\n", ALL);
    assertThat(Privileges.missing("Linux", "arm", proc))
        .hasSize(1)
        .first()
        .asString()
        .contains("arm");
  }

  @Test
  void aMachineWithoutProcfsIsTold() {
    assertThat(Privileges.missing("Linux", "amd64", proc))
        .hasSize(1)
        .first()
        .asString()
        .contains("procfs");
  }

  @Test
  void administratorsNeedNoOtherCapability() throws IOException {
    machine("6.1.0\n", ADMIN_ONLY);
    assertThat(Privileges.missing("Linux", "amd64", proc)).isEmpty();
    machine("6.1.0\n", BPF_AND_PERFMON);
    assertThat(Privileges.missing("Linux", "amd64", proc)).isEmpty();
    machine("6.1.0\n", BPF_ONLY);
    assertThat(Privileges.missing("Linux", "amd64", proc))
        .singleElement()
        .asString()
        .startsWith("this process lacks CAP_PERFMON: run as root, or let root run setpriv ");
  }

  private void machine(String release, String status) throws IOException {
    Files.createDirectories(proc.resolve("sys/kernel"));
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(proc.resolve("sys/kernel/osrelease"), release);
    Files.writeString(proc.resolve("sys/kernel/unprivileged_bpf_disabled"), "2\n");
    Files.writeString(proc.resolve("self/status"), status);
  }
}
