package dev.ply.result;

import java.util.List;

/** The results of a script's tests or benchmarks. Immutable. */
public sealed interface OwnRun extends Result {
  @Override
  default <R> R accept(Result.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * Calls the visitor's method for this kind of progress.
   *
   * @param <R> what the operation returns
   * @param visitor the operation, with a method for each kind
   * @return what the operation returns
   */
  <R> R accept(OwnRun.Visitor<R> visitor);

  /**
   * An operation with one case per kind of progress.
   *
   * @param <R> what the operation returns
   */
  interface Visitor<R> {
    /** Handles the number of tests. */
    R visit(TestsBegin run);

    /** Handles the start of a test. */
    R visit(TestBegins run);

    /** Handles a test that has run. */
    R visit(Test run);

    /** Handles all tests. */
    R visit(TestsEnd run);

    /** Handles benchmarks. */
    R visit(Benchmarks run);
  }

  /**
   * Tests are about to run.
   *
   * @param count how many
   */
  record TestsBegin(int count) implements OwnRun {
    @Override
    public <R> R accept(OwnRun.Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A test is about to run.
   *
   * @param name of the test
   */
  record TestBegins(String name) implements OwnRun {
    @Override
    public <R> R accept(OwnRun.Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A test has run.
   *
   * @param name of the test
   * @param nanos how long it took
   * @param hasPassed whether it has reported no error
   * @param output what it has printed, decoded by {@link dev.ply.type.TextBytes}
   */
  record Test(String name, long nanos, boolean hasPassed, String output) implements OwnRun {
    @Override
    public <R> R accept(OwnRun.Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

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

    @Override
    public <R> R accept(OwnRun.Visitor<R> visitor) {
      return visitor.visit(this);
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

    @Override
    public <R> R accept(OwnRun.Visitor<R> visitor) {
      return visitor.visit(this);
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
