package dev.ply.kernel;

import static dev.ply.Values.pid;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.lang.PlyScript;
import dev.ply.table.Stack;
import dev.ply.target.SourceLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Source lines of the frames of a program that the test compiles. */
@Tag("live")
@Tag("any-kernel")
class SourceLineIT {
  private static final String PROGRAM =
      """
      #include <stdio.h>
      __attribute__((noinline)) int probed(int a) {
        return a + 1;
      }
      int caller(int a) {
        int b = probed(a);
        return b * 2;
      }
      int main(void) {
        getchar();
        int sum = caller(1);
        getchar();
        return sum;
      }
      """;

  @TempDir Path directory;

  private record Hit(Stack stack) {}

  private Path compiled() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = Files.writeString(directory.resolve("calls.c"), PROGRAM);
    Path program = directory.resolve("calls");
    int status =
        new ProcessBuilder(
                "gcc",
                "-g",
                "-O0",
                "-fno-omit-frame-pointer",
                "-o",
                program.toString(),
                source.toString())
            .start()
            .waitFor();
    assumeTrue(status == 0, "gcc cannot compile a program here");
    return program;
  }

  private static void continueProgram(Process process) throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  @Test
  @Timeout(300)
  void stacksArePrintedWithLines() throws Exception {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Path program = compiled();
    Process process = new ProcessBuilder(program.toString()).start();
    String script =
        "config = { show_debug_info = true } uprobe:%s:probed / pid == %d / { printf(\"%%s\", ustack(2)); }"
            .formatted(program, process.pid());
    CompletableFuture<String> printed = new CompletableFuture<>();
    try (var tracer = KernelTracer.open();
        var trace =
            tracer
                .prepare(PlyScript.parse(script))
                .printTo(line -> printed.complete(line.toString()));
        var session = trace.start()) {
      continueProgram(process);
      String source = directory.resolve("calls.c").toString();
      assertThat(printed.get())
          .matches("(?s)\\s*probed@" + source + ":2\n\\s*caller\\+\\d+@" + source + ":6\n");
      session.stop();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The lines are read when the process and the session have ended. */
  @Test
  @Timeout(300)
  void framesHaveTheLinesOfTheirCalls() throws Exception {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Path program = compiled();
    Process process = new ProcessBuilder(program.toString()).start();
    Stack stack;
    var hits =
        Probe.uprobe(program, "probed").where(pid().eq(process.pid())).emit(Hit.class, ustack());
    try (var tracer = KernelTracer.open();
        var session = tracer.start(hits);
        var stream = session.stream(hits)) {
      continueProgram(process);
      stack = stream.findFirst().orElseThrow().stack();
      assertThat(stack.frames().get(1).line().map(SourceLine::line)).contains(6);
      continueProgram(process);
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    String source = directory.resolve("calls.c").toString();
    List<Stack.Frame> own =
        stack.frames().stream()
            .filter(frame -> frame.module().stream().anyMatch("calls"::equals))
            .toList();
    assertThat(own).extracting(Stack.Frame::function).startsWith("probed", "caller", "main");
    assertThat(own.stream().limit(3).map(frame -> frame.line().orElseThrow()))
        .containsExactly(
            new SourceLine(source, 2), new SourceLine(source, 6), new SourceLine(source, 11));
    assertThat(own.get(1).toString()).doesNotContain("calls.c");
  }
}
