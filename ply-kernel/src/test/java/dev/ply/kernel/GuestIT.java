package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What a guest must offer before the outcome of any other live test in it means something. */
@Tag("live")
@EnabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "not in a guest: ply-kernel/guest/run sets ply.guest")
class GuestIT {
  @Test
  void runsTheKernelThatWasAskedFor() throws IOException {
    String version = Objects.requireNonNull(System.getProperty("ply.guest"));
    assertThat(Files.readString(Path.of("/proc/sys/kernel/osrelease"))).startsWith(version + ".");
  }

  @Test
  void hasTheFileSystemsThatTracingReads() {
    assertThat(Path.of("/sys/kernel/tracing/events/syscalls")).isDirectory();
    assertThat(Path.of("/sys/kernel/debug/tracing/available_events")).isReadable();
    assertThat(Path.of("/sys/kernel/btf/vmlinux")).isReadable();
  }

  @Test
  void canProbeKernelFunctions() throws IOException {
    assertThat(Files.readAllLines(Path.of("/sys/kernel/tracing/available_filter_functions")))
        .contains("vfs_read");
    assertThat(Path.of("/sys/kernel/tracing/kprobe_events")).isWritable();
  }

  @Test
  void hasSeveralProcessors() {
    assertThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
  }
}
