package dev.ply.kernel.pmu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.selector.KernelSelector;
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
  void otherTextsAreNoFunctions() {
    assertThatThrownBy(() -> new KernelSelector.Function("vfs_read\n-:other"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KernelSelector.Inside(new KernelSelector.Function("f"), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset -1");
  }
}
