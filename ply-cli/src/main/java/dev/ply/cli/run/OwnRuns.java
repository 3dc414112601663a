package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.SwitchedOutput;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;
import dev.ply.result.OwnRun;
import dev.ply.type.TextBytes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Runs the tests or benchmarks of a script, in script order. A test fails if it reports an error
 * ({@code errorf}, {@code assert}, {@code fail}) or exits with a status other than 0.
 */
final class OwnRuns {
  /** A benchmark is run at least this long, and twice as often each time until it is. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final int MOST_RUNS = 1 << 20;

  private final Console console;
  private final Source source;
  private final ResultOutput results;
  private final SwitchedOutput output;
  private int errors;

  OwnRuns(Console console, Source source, ResultOutput results) {
    this.console = console;
    this.source = source;
    this.results = results;
    this.output = new SwitchedOutput(console.output());
  }

  /** Returns what the trace writes its output to. */
  SwitchedOutput output() {
    return output;
  }

  /** Prints a report of the trace, as a part of the output of a test. */
  synchronized void report(Diagnostic report) {
    if (report.severity() == Severity.ERROR) {
      errors++;
    }
    byte[] lines = TextBytes.encode(DiagnosticRenderer.render(List.of(report), source));
    output.write(lines, 0, lines.length);
  }

  private synchronized int errors() {
    return errors;
  }

  /** Runs all tests, and returns the exit status. */
  int test(Session session, Script script) {
    List<String> tests = names(script, TracerProbe.Test.class);
    if (tests.isEmpty()) {
      console.error("the script has no tests: test:name { … }");
      return ExitCode.FAILURE;
    }
    results.print(new OwnRun.TestsBegin(tests.size()));
    List<OwnRun.Test> ran = tests.stream().map(name -> test(session, name)).toList();
    results.print(new OwnRun.TestsEnd(ran));
    return ran.stream().allMatch(OwnRun.Test::hasPassed) ? ExitCode.OK : ExitCode.FAILURE;
  }

  private OwnRun.Test test(Session session, String name) {
    results.print(new OwnRun.TestBegins(name));
    int before = errors();
    output.keep();
    long begin = System.nanoTime();
    OptionalInt status = session.run(new TracerProbe.Test(name).definition());
    long nanos = System.nanoTime() - begin;
    boolean hasPassed = errors() == before && status.orElse(ExitCode.OK) == ExitCode.OK;
    OwnRun.Test test = new OwnRun.Test(name, nanos, hasPassed, TextBytes.decode(output.kept()));
    results.print(test);
    return test;
  }

  /** Runs all benchmarks, and returns the exit status. */
  int measure(Session session, Script script) {
    List<String> benchmarks = names(script, TracerProbe.Bench.class);
    if (benchmarks.isEmpty()) {
      console.error("the script has no benchmarks: bench:name { … }");
      return ExitCode.FAILURE;
    }
    results.print(
        new OwnRun.Benchmarks(benchmarks.stream().map(name -> measure(session, name)).toList()));
    return ExitCode.OK;
  }

  private OwnRun.Benchmark measure(Session session, String name) {
    output.keep();
    String probe = new TracerProbe.Bench(name).definition();
    int runs = 1;
    Duration time = session.measure(probe, runs);
    while (time.compareTo(SHORTEST) < 0 && runs < MOST_RUNS) {
      runs *= 2;
      time = session.measure(probe, runs);
    }
    byte[] unused = output.kept();
    return new OwnRun.Benchmark(name, time.toNanos() / runs, runs);
  }

  private static List<String> names(Script script, Class<? extends TracerProbe> kind) {
    return script.clauses().stream()
        .map(Clause::point)
        .filter(kind::isInstance)
        .map(AttachPoint::definition)
        .map(definition -> definition.substring(definition.indexOf(':') + 1))
        .distinct()
        .toList();
  }
}
