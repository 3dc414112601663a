package dev.ply.render;

import dev.ply.result.OwnRun;
import dev.ply.result.OwnRun.Benchmark;
import dev.ply.result.OwnRun.Test;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.Locale;

/** Writes the progress and results of tests and benchmarks for people. */
final class OwnRunText implements OwnRun.Visitor<TextBuffer> {
  private static final int NAME = 40;
  private static final int TIME = 15;
  private static final String RUNS = "Iterations";

  private final TextBuffer out;

  OwnRunText(TextBuffer out) {
    this.out = out;
  }

  @Override
  public TextBuffer visit(OwnRun.TestsBegin tests) {
    line("[==========] Running " + count(tests.count()) + ".");
    return out;
  }

  @Override
  public TextBuffer visit(OwnRun.TestBegins test) {
    line("[ RUN      ] " + test.name());
    return out;
  }

  /** Writes a test, and what it has printed if it has failed. */
  @Override
  public TextBuffer visit(Test test) {
    if (!test.hasPassed()) {
      out.append(test.output());
      out.append(test.output().isEmpty() || test.output().endsWith("\n") ? "" : "\n");
    }
    String result = test.hasPassed() ? "[       OK ] " : "[  FAILED  ] ";
    line(String.format(Locale.ROOT, "%s%s (%.3f ms)", result, test.name(), test.nanos() / 1e6));
    return out;
  }

  @Override
  public TextBuffer visit(OwnRun.TestsEnd all) {
    List<Test> tests = all.tests();
    List<Test> failed = tests.stream().filter(test -> !test.hasPassed()).toList();
    line("[==========] " + count(tests.size()) + " ran.");
    line("[  PASSED  ] " + count(tests.size() - failed.size()) + ".");
    if (!failed.isEmpty()) {
      line("[  FAILED  ] " + count(failed.size()) + ", listed below:");
      failed.forEach(test -> line("[  FAILED  ] " + test.name()));
    }
    return out;
  }

  @Override
  public TextBuffer visit(OwnRun.Benchmarks all) {
    List<Benchmark> benchmarks = all.benchmarks();
    int width =
        benchmarks.stream().mapToInt(one -> one.name().length()).reduce(NAME, Math::max) + 1;
    line(pad("Benchmark", width) + pad("Time(ns)", TIME) + RUNS);
    line("-".repeat(width + TIME + RUNS.length()));
    for (Benchmark one : benchmarks) {
      line(pad(one.name(), width) + pad(String.valueOf(one.nanos()), TIME) + one.runs());
    }
    return out;
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String count(int tests) {
    return tests + (tests == 1 ? " test" : " tests");
  }
}
