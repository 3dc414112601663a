package dev.ply.kernel.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.ir.KernelSelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KprobeUnitTest {
  @TempDir Path directory;

  @Test
  void theUnitHasATypeAndABitForReturns() throws IOException {
    Files.writeString(directory.resolve("type"), "8\n");
    Files.createDirectories(directory.resolve("format"));
    Files.writeString(directory.resolve("format/retprobe"), "config:0\n");
    assertThat(KprobeUnit.read(directory)).contains(new KprobeUnit(8, 0));
  }

  @Test
  void aKernelWithoutTheUnitHasNone() {
    assertThat(KprobeUnit.read(directory)).isEmpty();
  }

  @Test
  void probesAreNamedByTheKernelsWords() {
    assertThat(KprobeUnit.description((AttachSpec.Kprobe) Probes.entry("vfs_read")))
        .isEqualTo("kprobe:vfs_read");
    assertThat(KprobeUnit.description((AttachSpec.Kprobe) Probes.returns("vfs_read")))
        .isEqualTo("kretprobe:vfs_read");
  }

  @Test
  void otherTextsAreNoFunctions() {
    assertThatThrownBy(() -> new KernelSelector.Function("vfs_read\n-:other"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KernelSelector.Inside(new KernelSelector.Function("f"), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset -1");
  }
}
