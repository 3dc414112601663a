package dev.ply.probe;

import java.time.Duration;

/** The rate of a sampling timer. */
public sealed interface SamplingRate {
  /** {@return the time between two samples} */
  Duration period();

  /** {@return the rate as scripts write it: {@code 99hz}, {@code ms:10}} */
  String text();

  /**
   * A frequency in Hz; the kernel adjusts its timer to keep it.
   *
   * @param frequency samples per second and CPU, positive
   */
  record Hertz(long frequency) implements SamplingRate {
    /**
     * Checks the frequency.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Hertz {
      if (frequency <= 0) {
        throw new IllegalArgumentException("a CPU is sampled at least at 1 hz, not " + frequency);
      }
    }

    @Override
    public Duration period() {
      return Duration.ofNanos(Math.max(1, Duration.ofSeconds(1).toNanos() / frequency));
    }

    @Override
    public String text() {
      return frequency + "hz";
    }
  }

  /**
   * A fixed period.
   *
   * @param period the time between two samples of a CPU, positive
   */
  record Every(Duration period) implements SamplingRate {
    /**
     * Checks the period.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Every {
      if (period.isZero() || period.isNegative()) {
        throw new IllegalArgumentException("a CPU is sampled after some time, not " + period);
      }
    }

    @Override
    public String text() {
      TimeUnits time = TimeUnits.of(period);
      return time.unit() + ":" + time.amount();
    }
  }
}
