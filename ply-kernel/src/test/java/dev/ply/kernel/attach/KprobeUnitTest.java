package dev.ply.kernel.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void placesAreWrittenAsTheKernelTakesThem() {
    assertThat(location("vfs_read")).isEqualTo("kprobe:vfs_read");
    assertThat(location("vfs_read+0x8")).isEqualTo("kprobe:vfs_read+8");
    assertThat(location("ext4:ext4_sync_file+16")).isEqualTo("kprobe:ext4:ext4_sync_file+16");
    assertThat(location("vmlinux:vfs_read")).isEqualTo("kprobe:vfs_read");
    assertThat(location("0xFFFFFFFF81000000")).isEqualTo("kprobe:0xffffffff81000000");
    assertThat(KprobeLocation.of(KernelSelector.parse("vfs_read"), true))
        .hasToString("kretprobe:vfs_read");
  }

  private static String location(String place) {
    return KprobeLocation.of(KernelSelector.parse(place), false).toString();
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
