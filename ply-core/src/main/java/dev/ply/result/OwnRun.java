package dev.ply.result;

import java.util.List;

/** What the tests or the benchmarks of a script gave. Immutable. */
public sealed interface OwnRun extends Result {
  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * Tests are about to run.
   *
   * @param count how many
   */
  record TestsBegin(int count) implements OwnRun {}

  /**
   * A test is about to run.
   *
   * @param name of the test
   */
  record TestBegins(String name) implements OwnRun {}

  /**
   * A test has run.
   *
   * @param name of the test
   * @param nanos how long it took
   * @param hasPassed whether it has reported no error
   * @param output what it has printed, decoded by {@link dev.ply.type.TextBytes}
   */
  record Test(String name, long nanos, boolean hasPassed, String output) implements OwnRun {}

  /**
   * All tests have run.
   *
   * @param tests in script order
   */
  record TestsEnd(List<Test> tests) implements OwnRun {
    /** Copies the list. */
    public TestsEnd {
      tests = List.copyOf(tests);
    }
  }

  /**
   * Benchmarks have run.
   *
   * @param benchmarks in script order
   */
  record Benchmarks(List<Benchmark> benchmarks) implements OwnRun {
    /** Copies the list. */
    public Benchmarks {
      benchmarks = List.copyOf(benchmarks);
    }
  }

  /**
   * A benchmark.
   *
   * @param name of the benchmark
   * @param nanos how long one run took, on average
   * @param runs how often it was run
   */
  record Benchmark(String name, long nanos, long runs) {}
}
