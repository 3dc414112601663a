package dev.ply.kernel.jit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PerfMapTest {
  private final ReadBudget budget = ReadBudget.of(Duration.ofSeconds(10));

  @TempDir Path directory;

  @Test
  void aLineIsAFunction() throws IOException {
    Path file = directory.resolve("perf-1.map");
    Files.writeString(
        file, "7f1000 20 long a.B.c(long)\n0x7f1020 0x8 Interpreter\nno line\n\nzz 1 x\n");
    int owner = (Integer) Files.getAttribute(file, "unix:uid");
    PerfMap map = PerfMap.read(file, owner, budget).orElseThrow();
    assertThat(map.at(0x7f101f)).contains(new Symbol("long a.B.c(long)", 0x1f));
    assertThat(map.at(0x7f1020)).contains(new Symbol("Interpreter", 0));
    assertThat(map.at(0x7f1028)).isEmpty();
    assertThat(map.at(0x7f0fff)).isEmpty();
    assertThat(PerfMap.read(directory.resolve("none"), owner, budget)).isEmpty();
  }

  @Test
  void whatIsTooLargeOrNoFileIsNotRead() throws Exception {
    Path large = directory.resolve("perf-2.map");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    int owner = (Integer) Files.getAttribute(large, "unix:uid");
    assertThat(PerfMap.read(large, owner, budget)).isEmpty();
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    Path link = Files.createSymbolicLink(directory.resolve("perf-3.map"), Path.of("/dev/zero"));
    assertThat(PerfMap.read(link, owner, budget)).isEmpty();
    Path pipe = directory.resolve("perf-4.map");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(PerfMap.read(pipe, owner, budget)).isEmpty();
  }
}
