package dev.ply.kernel.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.name.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RefusalReasonsTest {
  @TempDir Path directory = Path.of("");
  private Path proc = directory;
  private Path security = directory;

  @BeforeEach
  void machine() throws IOException {
    proc = Files.createDirectories(directory.resolve("proc"));
    security = Files.createDirectories(directory.resolve("security"));
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(proc.resolve("sys/kernel"));
    Files.writeString(proc.resolve("sys/kernel/osrelease"), "6.1.0\n");
    Files.writeString(proc.resolve("self/status"), "NoNewPrivs:\t0\nSeccomp:\t0\n");
  }

  private RefusalReasons reasons() {
    return new RefusalReasons(proc, security);
  }

  @Test
  void nothingIsMadeUp() {
    assertThat(reasons().of(Errno.EPERM)).isEmpty();
    assertThat(reasons().of(Errno.EINVAL)).isEmpty();
  }

  @Test
  void aFilterOfSystemCallsIsNamed() throws IOException {
    Files.writeString(proc.resolve("self/status"), "NoNewPrivs:\t0\nSeccomp:\t2\n");
    assertThat(reasons().of(Errno.EPERM)).singleElement().asString().contains("seccomp");
  }

  @Test
  void lockdownAndSecurityModulesAreNamed() throws IOException {
    Files.writeString(security.resolve("lockdown"), "none integrity [confidentiality]\n");
    Files.writeString(security.resolve("lsm"), "lockdown,capability,apparmor,bpf");
    assertThat(reasons().of(Errno.EACCES))
        .containsExactly(
            "the kernel is locked down (confidentiality): boot it without Secure Boot, or without"
                + " lockdown=",
            "the security module apparmor may forbid it");
  }

  @Test
  void aKernelThatKeepsPerfEventsToRootIsNamed() throws IOException {
    Files.writeString(proc.resolve("sys/kernel/perf_event_paranoid"), "3\n");
    Files.writeString(proc.resolve("self/status"), "CapEff:\t000000c000000000\nSeccomp:\t0\n");
    assertThat(reasons().of(Errno.EACCES))
        .containsExactly(
            "kernel.perf_event_paranoid is 3: perf events, and so intervals and samples, then"
                + " require CAP_SYS_ADMIN; with sysctl kernel.perf_event_paranoid=2, CAP_PERFMON is"
                + " enough");
    Files.writeString(proc.resolve("self/status"), "CapEff:\t000001ffffffffff\nSeccomp:\t0\n");
    assertThat(reasons().of(Errno.EACCES)).isEmpty();
    Files.writeString(proc.resolve("self/status"), "CapEff:\t000000c000000000\nSeccomp:\t0\n");
    Files.writeString(proc.resolve("sys/kernel/perf_event_paranoid"), "2\n");
    assertThat(reasons().of(Errno.EACCES)).isEmpty();
  }

  @Test
  void lockedMemoryIsNamedWhereItCounts() throws IOException {
    Files.writeString(proc.resolve("sys/kernel/osrelease"), "5.10.0-35-cloud-amd64\n");
    assertThat(reasons().of(Errno.EPERM)).singleElement().asString().contains("ulimit -l");
  }

  @Test
  void theLimitOfOpenFilesIsNamed() throws IOException {
    Files.writeString(
        proc.resolve("self/limits"),
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            1024                 4096                 files
        """);
    assertThat(reasons().of(Errno.EMFILE))
        .containsExactly(
            "each probe uses one or two file descriptors, and this process may have 4096: raise the"
                + " limit with ulimit -n");
  }
}
