package dev.ply.target;

import java.util.Locale;
import java.util.Optional;

/** The clock of {@code nsecs}. */
public enum ClockMode {
  /** CLOCK_BOOTTIME: since boot, including suspend. */
  BOOT,
  /** CLOCK_MONOTONIC: since boot, without suspend. */
  MONOTONIC,
  /** CLOCK_TAI, International Atomic Time (Linux 6.1). */
  TAI,
  /** The same; bpftrace computes it from another clock, for older kernels. */
  SW_TAI;

  /**
   * {@return the clock of a name, as scripts write it}
   *
   * @param name {@code monotonic}, {@code boot}, {@code tai} or {@code sw_tai}
   */
  public static Optional<ClockMode> named(String name) {
    for (ClockMode mode : values()) {
      if (mode.canonicalName().equals(name)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }

  /** {@return the name as scripts write it} */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
