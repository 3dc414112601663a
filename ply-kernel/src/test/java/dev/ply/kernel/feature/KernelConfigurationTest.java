package dev.ply.kernel.feature;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelConfigurationTest {
  private static final String TEXT =
      """
      CONFIG_BPF_SYSCALL=y
      CONFIG_PERF_EVENTS=y
      CONFIG_BPF_EVENTS=y
      CONFIG_FTRACE_SYSCALLS=y
      # CONFIG_KPROBE_EVENTS is not set
      CONFIG_KALLSYMS=y
      CONFIG_DEBUG_INFO_BTF=m
      """;

  @TempDir Path directory = Path.of("");

  @Test
  void whatIsMissingIsNamedWithItsUse() throws IOException {
    Path file = directory.resolve("config");
    Files.writeString(file, TEXT);
    assertThat(KernelConfiguration.read(List.of(directory.resolve("none"), file)))
        .hasValueSatisfying(
            configuration ->
                assertThat(configuration.missing())
                    .containsExactly(
                        "CONFIG_KPROBE_EVENTS is not set (needed for kprobe and kretprobe)"));
  }

  @Test
  void itMayBePacked() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(TEXT.getBytes(StandardCharsets.UTF_8));
    }
    Path file = directory.resolve("config.gz");
    Files.write(file, packed.toByteArray());
    assertThat(KernelConfiguration.read(List.of(file)))
        .hasValueSatisfying(one -> assertThat(one.set()).hasSize(6));
  }

  @Test
  void thereMayBeNone() throws IOException {
    assertThat(KernelConfiguration.read(List.of(directory.resolve("none")))).isEmpty();
  }
}
