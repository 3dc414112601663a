package dev.ply.probe;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A timer. */
public sealed interface TimerProbe extends AttachPoint {
  /** {@return how often it fires} */
  SamplingRate rate();

  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * A timer on one CPU.
   *
   * @param period the time between two hits, positive
   */
  record Interval(Duration period) implements TimerProbe {
    @Override
    public String definition() {
      TimeUnits time = TimeUnits.of(period);
      return "interval:" + time.amount() + time.unit();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.INTERVAL);
    }

    @Override
    public SamplingRate rate() {
      return new SamplingRate.Every(period);
    }
  }

  /**
   * A timer on every online CPU, or on one.
   *
   * @param cpu the only CPU, empty for all
   * @param rate how often a CPU is sampled
   */
  record Profile(OptionalInt cpu, SamplingRate rate) implements TimerProbe {
    /**
     * Checks the number of the CPU.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Profile {
      if (cpu.isPresent() && cpu.getAsInt() < 0) {
        throw new IllegalArgumentException("CPUs are counted from 0, not " + cpu);
      }
    }

    @Override
    public String definition() {
      return "profile:" + (cpu.isPresent() ? cpu.getAsInt() + ":" : "") + rate.text();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.PROFILE);
    }
  }
}
