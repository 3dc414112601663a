package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.kernel.elf.Bombs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that runs code of files made to be large in memory: a profile of it, probes on all and
 * their list are right, in little memory.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(180)
class BombsIT {
  private static final int NOBODY = 65534;
  private static final int COUNT = 200_000;
  private static final int MOST_MEBIBYTES = 300;

  /** Runs a function of each file in turn, as long as its parent lives. */
  private static final String RUNNER =
      """
      #include <fcntl.h>
      #include <stdio.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(int count, char **files) {
        void (*all[64])(void);
        int parent = getppid();
        for (int i = 1; i < count; i++) {
          all[i] = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(files[i], O_RDONLY), 4096);
          if (all[i] == MAP_FAILED) return 1;
        }
        puts("mapped");
        fflush(stdout);
        while (getppid() == parent) for (int i = 1; i < count; i++) all[i]();
      }
      """;

  @TempDir private Path directory;
  private Path files;
  private Process runner;

  @BeforeEach
  void start() throws Exception {
    Live.assumeTracing();
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "the code is of x86-64");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    assumeTrue(
        Files.getAttribute(directory, "unix:uid").equals(0), "files are made another user's");
    files = Files.createDirectory(directory.resolve("files"));
    Path source = Files.writeString(directory.resolve("runner.c"), RUNNER);
    Path program = directory.resolve("runner");
    int status =
        new ProcessBuilder("gcc", "-O0", "-o", program.toString(), source.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).isZero();
    List<String> command = new ArrayList<>(List.of(program.toString()));
    for (Map.Entry<String, Path> bomb : Bombs.all(files).entrySet()) {
      Bombs.fill(bomb.getValue(), COUNT);
      Files.setAttribute(bomb.getValue(), "unix:uid", NOBODY);
      command.add(bomb.getValue().toString());
    }
    runner = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(runner.inputReader().readLine()).isEqualTo("mapped");
  }

  @AfterEach
  void stop() {
    if (runner != null) {
      runner.destroyForcibly();
    }
  }

  /** Runs ply as its launcher does; the last line is the most memory that it had, in MiB. */
  private static List<String> ply(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Collections.addAll(command, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    Collections.addAll(command, "-Xms48m", "-XX:MaxNewSize=24m", "-Xmx512m");
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    Collections.addAll(command, "-cp", System.getProperty("java.class.path"));
    command.add(MeasuredPly.class.getName());
    Collections.addAll(command, arguments);
    Process ply = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines =
        new String(ply.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(ply.waitFor()).as(() -> String.join("\n", lines)).isZero();
    assertThat(Integer.parseInt(lines.get(lines.size() - 1)))
        .as("MiB of memory")
        .isLessThan(MOST_MEBIBYTES);
    return lines.subList(0, lines.size() - 1);
  }

  @Test
  void aProfileNamesWhatCanBeNamed() throws Exception {
    List<String> shown =
        ply(
            "profile:hz:999 /pid == %d/ { @[ustack(1)] = count(); if (@n++ > 1500) { exit(); } }"
                .formatted(runner.pid()));
    // All but the one whose names are too many.
    assertThat(shown).filteredOn(line -> line.startsWith("\tbomb+")).hasSizeGreaterThan(6);
    assertThat(shown).filteredOn(line -> line.endsWith(" (names)")).isNotEmpty();
    assertThat(shown)
        .contains(
            "warning: some functions of processes have no names: reading them takes too much"
                + " memory");
  }

  @Test
  void probesOnAllAreOnThoseThatCanBeRead() throws Exception {
    List<String> shown =
        ply(
            "uprobe:%s/*:bom* /pid == %d/ { @[probe] = count(); if (@n++ > 100) { exit(); } }"
                .formatted(files, runner.pid()));
    assertThat(shown).filteredOn(line -> line.startsWith("{ uprobe:")).hasSize(7);
    assertThat(shown).anyMatch(line -> line.contains(" skips 1 file"));
  }

  @Test
  void theListHasThoseThatCanBeRead() throws Exception {
    List<String> shown = ply("-l", "-v", "uprobe:" + files + "/*:bom*");
    assertThat(shown).filteredOn(line -> line.startsWith("uprobe:")).hasSize(7);
    assertThat(shown)
        .contains(
            "warning: %s/*:bom* skips 1 file: %s/names cannot be read: reading"
                    .formatted(files, files)
                + " it takes too much memory");
  }
}
