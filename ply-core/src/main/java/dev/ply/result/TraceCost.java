package dev.ply.result;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a trace cost while it was measured. Immutable.
 *
 * @param elapsed how long it was measured
 * @param probes the programs of its probes, in script order
 * @param tracer the CPU time of the tracer's own process
 * @param measuring what measuring adds to each hit, and to each run of any other BPF program of the
 *     machine; not part of {@code probes}
 */
public record TraceCost(
    Duration elapsed, List<ProbeCost> probes, Duration tracer, Duration measuring) {
  /** Copies the list. */
  public TraceCost {
    probes = List.copyOf(probes);
  }

  /** {@return the hits of all probes} */
  public long hits() {
    return probes.stream().mapToLong(ProbeCost::hits).sum();
  }

  /** {@return how long all programs have run} */
  public Duration ofProbes() {
    return probes.stream().map(ProbeCost::time).reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * {@return a time as a share of one CPU}
   *
   * @param time of CPUs while the trace was measured
   */
  public double share(Duration time) {
    return elapsed.isZero() ? 0 : (double) time.toNanos() / elapsed.toNanos();
  }

  /**
   * {@return hits as a rate}
   *
   * @param hits while the trace was measured
   */
  public double perSecond(long hits) {
    return elapsed.isZero() ? 0 : hits * 1e9 / elapsed.toNanos();
  }

  /**
   * {@return what was added since an earlier cost}
   *
   * @param earlier of the same meter
   */
  public TraceCost since(TraceCost earlier) {
    List<ProbeCost> added =
        IntStream.range(0, probes.size())
            .mapToObj(i -> added(probes.get(i), earlier.probes().get(i)))
            .toList();
    return new TraceCost(
        elapsed.minus(earlier.elapsed()), added, tracer.minus(earlier.tracer()), measuring);
  }

  private static ProbeCost added(ProbeCost now, ProbeCost earlier) {
    return new ProbeCost(
        now.points(),
        now.mechanism(),
        now.hits() - earlier.hits(),
        now.time().minus(earlier.time()));
  }
}
