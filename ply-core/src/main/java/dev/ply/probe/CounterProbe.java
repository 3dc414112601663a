package dev.ply.probe;

import java.util.Optional;

/** A counter that fires on every CPU after each {@code period} events. */
public sealed interface CounterProbe extends AttachPoint {
  /** {@return the counter and its period} */
  PerfPeriod event();

  @Override
  default String definition() {
    return provider().orElseThrow().keyword() + ":" + event().text();
  }

  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * An overflow of a kernel counter, on every CPU.
   *
   * @param event the kernel's counter and its period
   */
  record Software(PerfPeriod event) implements CounterProbe {
    /**
     * Checks that the counter is one of the kernel.
     *
     * @throws IllegalArgumentException if it is a hardware counter
     */
    public Software {
      require(event, PerfCounter.Source.SOFTWARE);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.SOFTWARE);
    }
  }

  /**
   * An overflow of a hardware counter, on every CPU.
   *
   * @param event the counter of the CPU and its period
   */
  record Hardware(PerfPeriod event) implements CounterProbe {
    /**
     * Checks that the counter is one of the CPU.
     *
     * @throws IllegalArgumentException if it is a software counter
     */
    public Hardware {
      require(event, PerfCounter.Source.HARDWARE);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.HARDWARE);
    }
  }

  private static void require(PerfPeriod event, PerfCounter.Source source) {
    if (event.counter().source() != source) {
      throw new IllegalArgumentException(
          event.counter().text() + " is counted by " + event.counter().source());
    }
  }
}
