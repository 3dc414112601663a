package dev.ply.result;

import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.List;

/**
 * What the probe sites that share a program cost while they were measured. Immutable.
 *
 * @param points the sites, as {@link AttachedSite#point} names them; at least one
 * @param mechanism how the first is attached
 * @param hits the runs of the program, whether predicates were true or not; a program on {@link
 *     Mechanism#RAW_SYSCALLS} runs for system calls that nobody asked for, too
 * @param time how long the program has run, on all CPUs together; without the way from the probed
 *     instruction to the program and back, which is part of a trap for user probes
 */
public record ProbeCost(List<String> points, Mechanism mechanism, long hits, Duration time) {
  /** Copies the points. */
  public ProbeCost {
    points = List.copyOf(points);
  }

  /** {@return the average run of the program in ns, 0 without hits} */
  public long nanosPerHit() {
    return hits == 0 ? 0 : Math.round((double) time.toNanos() / hits);
  }

  /** {@return the sites in a few words: the first, and how many more} */
  public String name() {
    int others = points.size() - 1;
    return points.get(0) + (others > 0 ? " and " + others + " more" : "");
  }
}
