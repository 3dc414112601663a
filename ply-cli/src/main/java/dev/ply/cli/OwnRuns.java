package dev.ply.cli;

import dev.ply.Session;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.ir.TracerProbe;
import dev.ply.result.ResultFormat;
import dev.ply.result.TextBuffer;
import dev.ply.type.TextBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Runs the tests or benchmarks of a script, in script order. A test fails if it reports an error
 * ({@code errorf}, {@code assert}, {@code fail}) or exits with a status other than 0.
 */
final class OwnRuns {
  /** A benchmark is run at least this long, and twice as often each time until it is. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final int MOST_RUNS = 1 << 20;
  private static final int NAME = 40;
  private static final int TIME = 15;
  private static final String RUNS = "Iterations";

  private final Console console;
  private final Source source;
  private final ResultFormat format;
  private final SwitchedOutput output;
  private int errors;

  OwnRuns(Console console, Source source, ResultFormat format) {
    this.console = console;
    this.source = source;
    this.format = format;
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
    print("[==========] Running " + count(tests.size()) + ".");
    List<String> failed = new ArrayList<>();
    for (String name : tests) {
      if (!test(session, name)) {
        failed.add(name);
      }
    }
    print("[==========] " + count(tests.size()) + " ran.");
    print("[  PASSED  ] " + count(tests.size() - failed.size()) + ".");
    if (!failed.isEmpty()) {
      print("[  FAILED  ] " + count(failed.size()) + ", listed below:");
      failed.forEach(name -> print("[  FAILED  ] " + name));
    }
    return failed.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
  }

  private boolean test(Session session, String name) {
    print("[ RUN      ] " + name);
    int before = errors();
    output.keep();
    long begin = System.nanoTime();
    OptionalInt status = session.run(new TracerProbe.Test(name).definition());
    long nanos = System.nanoTime() - begin;
    boolean hasPassed = errors() == before && status.orElse(ExitCode.OK) == ExitCode.OK;
    byte[] printed = output.kept();
    TextBuffer line = new TextBuffer();
    format.appendTest(line, name, nanos, hasPassed, printed);
    if (line.length() > 0) {
      console.output().print(line);
      return hasPassed;
    }
    if (!hasPassed) {
      output.write(printed, 0, printed.length);
      if (printed.length > 0 && printed[printed.length - 1] != '\n') {
        output.write('\n');
      }
    }
    String result = hasPassed ? "[       OK ] " : "[  FAILED  ] ";
    print(String.format(Locale.ROOT, "%s%s (%.3f ms)", result, name, nanos / 1e6));
    return hasPassed;
  }

  /** Runs all benchmarks, and returns the exit status. */
  int measure(Session session, Script script) {
    List<String> benchmarks = names(script, TracerProbe.Bench.class);
    if (benchmarks.isEmpty()) {
      console.error("the script has no benchmarks: bench:name { … }");
      return ExitCode.FAILURE;
    }
    int width =
        Stream.concat(Stream.of(NAME), benchmarks.stream().map(String::length))
                .max(Integer::compare)
                .orElseThrow()
            + 1;
    print(pad("Benchmark", width) + pad("Time(ns)", TIME) + RUNS);
    print("-".repeat(width + TIME + RUNS.length()));
    for (String name : benchmarks) {
      output.keep();
      String probe = new TracerProbe.Bench(name).definition();
      int runs = 1;
      Duration time = session.measure(probe, runs);
      while (time.compareTo(SHORTEST) < 0 && runs < MOST_RUNS) {
        runs *= 2;
        time = session.measure(probe, runs);
      }
      byte[] unused = output.kept();
      long nanos = time.toNanos() / runs;
      TextBuffer line = new TextBuffer();
      format.appendBenchmark(line, name, nanos, runs);
      if (line.length() > 0) {
        console.output().print(line);
      } else {
        print(pad(name, width) + pad(String.valueOf(nanos), TIME) + runs);
      }
    }
    return ExitCode.OK;
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

  /** Prints a line, where results are not lines of JSON. */
  private void print(String line) {
    TextBuffer probe = new TextBuffer();
    format.appendBenchmark(probe, "", 0, 0);
    if (probe.length() == 0) {
      console.output().print(line + "\n");
    }
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String count(int tests) {
    return tests + (tests == 1 ? " test" : " tests");
  }
}
