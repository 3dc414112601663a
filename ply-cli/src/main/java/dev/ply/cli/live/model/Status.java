package dev.ply.cli.live.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the first and the last lines show. Immutable.
 *
 * @param title what is traced
 * @param probes the number of attached probes
 * @param elapsed since the start
 * @param period between two readings
 * @param reading how long the last reading took
 * @param processor the share of a CPU that the tracer has used in the last seconds, 1 for all of it
 * @param cost what the traced programs pay for a hit, if it has been measured
 * @param losses a sentence for each kind of loss
 */
public record Status(
    String title,
    int probes,
    Duration elapsed,
    Duration period,
    Duration reading,
    double processor,
    Optional<Cost> cost,
    List<String> losses) {
  /**
   * What the traced programs pay.
   *
   * @param processor the share of a CPU
   * @param hits in a second
   * @param nanos of a hit, in average
   * @param most the most expensive probe, escaped; empty if there is only one
   */
  public record Cost(double processor, double hits, long nanos, Optional<String> most) {}

  /** Keeps a copy. */
  public Status {
    losses = List.copyOf(losses);
  }
}
