package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.CommandProcess;
import dev.ply.kernel.JavaProcess;
import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code javaalloc} on a Java process that allocates what is known. */
@Tag("live")
@Tag("any-kernel")
@Tag("runtime")
@Timeout(300)
class JavaAllocIT {
  private static final Pattern ROW = Pattern.compile("(\\S+) +(\\d+)(?: +(\\d+))?");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** Buffers are small, so that no array fits one, and do not grow. */
  @Test
  @Answers("javaalloc")
  void classesAreShownWithTheirBytes() throws Exception {
    List<String> lines = lines(List.of("-XX:TLABSize=64k", "-XX:-ResizeTLAB"));
    assertThat(lines).anyMatch(line -> line.matches("CLASS +SAMPLES +BYTES\\(KB\\)"));
    Row arrays = row(lines, "[B");
    assertThat(arrays.count()).isBetween(100L, 110L);
    assertThat(arrays.kilobytes()).isBetween(195_000L, 197_000L);
    long known = Allocating.OBJECTS * 64L / 1024;
    assertThat(row(lines, Allocating.Known.class.getName().replace('.', '/')).kilobytes())
        .isBetween(known * 9 / 10, known * 12 / 10);
  }

  @Test
  void objectsAreCounted() throws Exception {
    List<String> lines =
        lines(List.of("-XX:+DTraceAllocProbes", "-XX:+IgnoreUnrecognizedVMOptions"), "-e");
    assertThat(row(lines, "[B").count()).isBetween(100L, 1000L);
    assertThat(row(lines, Allocating.Known.class.getName().replace('.', '/')).count())
        .isEqualTo(Allocating.OBJECTS);
  }

  @Test
  void stacksAreThoseOfTheRuntime() throws Exception {
    assertThat(lines(List.of("-XX:TLABSize=64k", "-XX:-ResizeTLAB"), "-s", "-f", "folded"))
        .anyMatch(line -> line.contains("MemAllocator::allocate") && line.matches(".* \\d+"));
  }

  private record Row(long count, long kilobytes) {}

  private static Row row(List<String> lines, String type) {
    for (String line : lines) {
      Matcher row = ROW.matcher(line.strip());
      if (row.matches() && row.group(1).equals(type)) {
        return new Row(
            Long.parseLong(row.group(2)), row.group(3) == null ? 0 : Long.parseLong(row.group(3)));
      }
    }
    throw new AssertionError("no row of " + type + " in\n" + String.join("\n", lines));
  }

  /** Traces the process until it ends, which allocates when all probes are attached. */
  private static List<String> lines(List<String> ofRuntime, String... options) throws Exception {
    List<String> command = new ArrayList<>(JavaProcess.command(Allocating.class));
    command.addAll(1, ofRuntime);
    Process java = new ProcessBuilder(command).start();
    try {
      return trace(java, options);
    } finally {
      java.destroyForcibly();
    }
  }

  private static List<String> trace(Process java, String... options) throws Exception {
    String[] words = {"tool", "javaalloc", "-v", "-p", Long.toString(java.pid())};
    Process ply =
        CommandProcess.start(
            Stream.concat(Arrays.stream(words), Arrays.stream(options)).toArray(String[]::new));
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      readUntil(output, "attached in ");
      java.getOutputStream().write(new byte[] {'1', '2'});
      java.getOutputStream().close();
      List<String> lines = output.lines().toList();
      assertThat(ply.waitFor()).isZero();
      return lines;
    } finally {
      ply.destroyForcibly();
    }
  }

  private static void readUntil(BufferedReader output, String part) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (line.contains(part)) {
        return;
      }
    }
    throw new AssertionError(String.join("\n", lines));
  }
}
