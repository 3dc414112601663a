package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a start of the packaged command costs, in numbers that are the same on a slow machine: the
 * classes that typical traces and the completion of a word load, which are those of {@code
 * src/dist/startup.classlist} and few others, and the bytes that they read.
 *
 * <p>A new feature pays when it is used. If what all traces load grows, it fails here; run with
 * {@code -Dgolden.update=true}, this test records the list again, and the next build packs it.
 */
@Timeout(300)
@Tag("runtime")
class StartupIT {
  private static final Path IMAGE = Path.of("target/dist/image").toAbsolutePath();
  private static final Path LIST = Path.of("src/dist/startup.classlist");

  /** Each such class costs as much as ten from the archive. */
  private static final int MOST_OUTSIDE = 40;

  /** Each line of the list costs every start about 20 us. */
  private static final int MOST_LISTED = 3_700;

  private static final long MOST_BYTES_READ = 3 << 20;

  private static final List<List<String>> TYPICAL =
      List.of(
          List.of("BEGIN { exit(0); }"),
          List.of(
              "-c",
              "/bin/true",
              "tracepoint:syscalls:sys_exit_read / pid == $target /"
                  + " { @[comm] = quantize(data->ret); }"),
          List.of(
              "bt",
              "-c",
              "/bin/true",
              "-e",
              "tracepoint:syscalls:sys_enter_execve / pid == cpid /"
                  + " { printf(\"%d %s\\n\", pid, comm); @[comm] = count(); }"),
          // Somebody waits for each TAB.
          List.of("complete", "tracepoint:sched:sched_switch { @[args.prev_"));

  @TempDir Path directory = Path.of("");

  @BeforeAll
  static void needsAPackage() {
    assumeTrue(Files.isDirectory(IMAGE), "no packages were built: mvn -Pdist package");
    Live.assumeTracing();
  }

  private String java(List<String> options, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(IMAGE.resolve("runtime/bin/java").toString());
    command.add("@" + IMAGE.resolve("lib/java.options"));
    command.add("-Djna.boot.library.path=" + IMAGE.resolve("lib"));
    command.addAll(options);
    command.addAll(List.of("-cp", IMAGE.resolve("lib/ply.jar").toString(), "dev.ply.cli.Ply"));
    command.addAll(arguments);
    return run(command);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void typicalTracesLoadWhatIsListed() throws Exception {
    if (Boolean.getBoolean("golden.update")) {
      record();
    }
    assertThat(Files.readAllLines(LIST)).hasSizeLessThan(MOST_LISTED);
    for (List<String> run : TYPICAL) {
      Path log = directory.resolve("loaded");
      String unused = java(List.of("-Xlog:class+load:file=" + log + ":none"), run);
      List<String> loaded = Files.readAllLines(log);
      assertThat(loaded).as("%s", run).hasSizeGreaterThan(1_000);
      assertThat(loaded.stream().filter(line -> !line.contains("shared objects file")))
          .as("loaded by %s, and not in %s", run, LIST)
          .hasSizeLessThan(MOST_OUTSIDE);
    }
  }

  /** In the form of the runtime's own list, without what is another in each build. */
  private void record() throws Exception {
    TreeSet<String> lines = new TreeSet<>();
    for (List<String> run : TYPICAL) {
      Path list = directory.resolve("list");
      // The archive is verified when it is made, so a start does not load classes for that.
      String unused =
          java(
              List.of(
                  "-Xshare:off",
                  "-XX:+UnlockDiagnosticVMOptions",
                  "-XX:-BytecodeVerificationRemote",
                  "-XX:DumpLoadedClassList=" + list),
              run);
      Files.readAllLines(list).stream()
          .filter(line -> !line.startsWith("#") && !line.startsWith("@cp "))
          .map(line -> line.replaceFirst(" id: .*", ""))
          .forEach(lines::add);
    }
    Files.write(LIST, lines);
  }

  @Test
  void typicalTracesReadLittle() throws Exception {
    for (List<String> run : TYPICAL) {
      List<String> command = new ArrayList<>();
      // What a shell has read is what its children have.
      command.addAll(
          List.of("/bin/sh", "-c", "\"$@\" >/dev/null 2>&1; grep rchar /proc/$$/io", "sh"));
      command.add(IMAGE.resolve("bin/ply").toString());
      command.addAll(run);
      String output = run(command);
      assertThat(Long.parseLong(output.replaceAll("\\D+", "")))
          .as("bytes that %s reads", run)
          .isLessThan(MOST_BYTES_READ);
    }
  }
}
