package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Values;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.table.Datum;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Examples and their scripts on the running kernel, side by side on one command. */
@Tag("live")
class ExamplesIT {
  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void countsEachSystemCallOfACommandOnce() throws Exception {
    WaitingCommand dd = dd(1, 1000);
    Script script = dd.traced(Scripts.parse("system-call-counts.ply"));
    Script built = dd.traced(Probe.script(List.of(SystemCallCounts.CALLS)));
    try (KernelTracer tracer = KernelTracer.open();
        Session text = tracer.start(script);
        Session fluent = tracer.start(built)) {
      dd.run();
      text.stop();
      fluent.stop();
      Datum.Int calls = (Datum.Int) fluent.table("@").get("dd").orElseThrow();
      // A read and a write for each of the 1000 blocks, and what starting and ending takes.
      assertThat(calls.value()).isBetween(2000L, 2200L);
      assertThat(fluent.tables()).isEqualTo(text.tables());
    }
  }

  @Test
  void seesEachReadOfACommandInItsBucket() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
    WaitingCommand dd = dd(10240, 100);
    Script script = dd.traced(Scripts.parse("read-sizes.ply"));
    Script built = dd.traced(Probe.script(List.of(ReadSizes.SIZES)));
    try (KernelTracer tracer = KernelTracer.open();
        Session text = tracer.start(script);
        Session fluent = tracer.start(built)) {
      dd.run();
      text.stop();
      fluent.stop();
      Datum.Distribution sizes = (Datum.Distribution) fluent.table("@").get("rdsz").orElseThrow();
      assertThat(sizes.histogram().countOf(10240)).isEqualTo(100);
      assertThat(fluent.tables()).isEqualTo(text.tables());
    }
  }

  /** Starts a dd that waits until it is traced. */
  private static WaitingCommand dd(int blockSize, int count) throws IOException {
    return WaitingCommand.start(
        "dd", "if=/dev/zero", "of=/dev/null", "bs=" + blockSize, "count=" + count, "status=none");
  }

  /** A process that waits before it executes a command, so that its PID is known. */
  private record WaitingCommand(Process process) {
    static WaitingCommand start(String... command) throws IOException {
      List<String> shell = new ArrayList<>(List.of("sh", "-c", "read go; exec \"$@\"", "sh"));
      shell.addAll(List.of(command));
      return new WaitingCommand(
          new ProcessBuilder(shell)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }

    /** Returns a script for this process alone: others may have the same name. */
    Script traced(Script script) {
      Expr isThis = Values.pid().eq(process.pid()).expr();
      return script.withClauses(
          script.clauses().stream()
              .map(
                  clause ->
                      new Clause(
                          clause.point(),
                          clause.pointSpan(),
                          Optional.of(
                              clause
                                  .predicate()
                                  .<Expr>map(
                                      holds ->
                                          new Expr.Binary(
                                              BinaryOp.LOGICAL_AND, isThis, holds, clause.span()))
                                  .orElse(isThis)),
                          clause.body(),
                          clause.span()))
              .toList());
    }

    void run() throws IOException, InterruptedException {
      try (OutputStream input = process.getOutputStream()) {
        input.write('\n');
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
  }
}
