package dev.ply.cli.serve;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What has become of a script so far. Thread-safe. */
final class ScriptState {
  private final Map<Failure.Kind, Long> failures = new EnumMap<>(Failure.Kind.class);
  private boolean isTried;
  private boolean runs;
  private boolean isCurrent;
  private long starts;
  private Optional<Failure> last = Optional.empty();
  private Instant lastTime = Instant.EPOCH;

  /**
   * A moment of it.
   *
   * @param isTried whether it has run or failed
   * @param runs whether it runs
   * @param isCurrent whether that is as its file and the configuration were when they were last
   *     read
   * @param starts how often it began to run
   * @param failures how often it has failed, by kind
   * @param last its last failure
   * @param lastTime of that failure
   */
  record Snapshot(
      boolean isTried,
      boolean runs,
      boolean isCurrent,
      long starts,
      Map<Failure.Kind, Long> failures,
      Optional<Failure> last,
      Instant lastTime) {
    Snapshot {
      failures = Map.copyOf(failures);
    }
  }

  synchronized void started() {
    starts++;
    current();
    notifyAll();
  }

  /** What runs is what should. */
  synchronized void current() {
    runs = true;
    isCurrent = true;
    isTried = true;
    notifyAll();
  }

  /**
   * It has failed.
   *
   * @param stillRuns whether an earlier version runs
   */
  synchronized void failed(Failure failure, boolean stillRuns, Instant now) {
    failures.merge(failure.kind(), 1L, Long::sum);
    last = Optional.of(failure);
    lastTime = now;
    runs = stillRuns;
    isCurrent = false;
    isTried = true;
    notifyAll();
  }

  synchronized void stopped() {
    runs = false;
  }

  /** Waits until a condition is met, for some time, and returns whether it is. */
  synchronized boolean await(Predicate<Snapshot> isMet, Duration timeout)
      throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (!isMet.test(now())) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  synchronized Snapshot now() {
    return new Snapshot(isTried, runs, isCurrent, starts, failures, last, lastTime);
  }
}
