package dev.ply.render;

import dev.ply.result.OwnRun;
import dev.ply.result.OwnRun.Benchmark;
import dev.ply.result.OwnRun.Test;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.Locale;

/** Writes the progress and results of tests and benchmarks for people. */
final class OwnRunText {
  private static final int NAME = 40;
  private static final int TIME = 15;
  private static final String RUNS = "Iterations";

  private OwnRunText() {}

  static void append(TextBuffer out, OwnRun run) {
    if (run instanceof OwnRun.TestsBegin tests) {
      line(out, "[==========] Running " + count(tests.count()) + ".");
    } else if (run instanceof OwnRun.TestBegins test) {
      line(out, "[ RUN      ] " + test.name());
    } else if (run instanceof Test test) {
      appendTest(out, test);
    } else if (run instanceof OwnRun.TestsEnd tests) {
      appendSummary(out, tests.tests());
    } else if (run instanceof OwnRun.Benchmarks benchmarks) {
      appendBenchmarks(out, benchmarks.benchmarks());
    }
  }

  /** Writes a test, and what it has printed if it has failed. */
  private static void appendTest(TextBuffer out, Test test) {
    if (!test.hasPassed()) {
      out.append(test.output());
      out.append(test.output().isEmpty() || test.output().endsWith("\n") ? "" : "\n");
    }
    String result = test.hasPassed() ? "[       OK ] " : "[  FAILED  ] ";
    line(
        out, String.format(Locale.ROOT, "%s%s (%.3f ms)", result, test.name(), test.nanos() / 1e6));
  }

  private static void appendSummary(TextBuffer out, List<Test> tests) {
    List<Test> failed = tests.stream().filter(test -> !test.hasPassed()).toList();
    line(out, "[==========] " + count(tests.size()) + " ran.");
    line(out, "[  PASSED  ] " + count(tests.size() - failed.size()) + ".");
    if (!failed.isEmpty()) {
      line(out, "[  FAILED  ] " + count(failed.size()) + ", listed below:");
      failed.forEach(test -> line(out, "[  FAILED  ] " + test.name()));
    }
  }

  private static void appendBenchmarks(TextBuffer out, List<Benchmark> benchmarks) {
    int width =
        benchmarks.stream().mapToInt(one -> one.name().length()).reduce(NAME, Math::max) + 1;
    line(out, pad("Benchmark", width) + pad("Time(ns)", TIME) + RUNS);
    line(out, "-".repeat(width + TIME + RUNS.length()));
    for (Benchmark one : benchmarks) {
      line(out, pad(one.name(), width) + pad(String.valueOf(one.nanos()), TIME) + one.runs());
    }
  }

  private static void line(TextBuffer out, String text) {
    out.append(text).append('\n');
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String count(int tests) {
    return tests + (tests == 1 ? " test" : " tests");
  }
}
