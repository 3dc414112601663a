package dev.ply.type;

/**
 * How a string is encoded in memory of the kernel: programs cannot compute with it, user space
 * decodes it.
 */
public sealed interface Encoding {
  /** Returns the bytes that a value takes. */
  int size();

  /** Returns the alignment in bytes, a power of two. */
  int alignment();

  /** Returns what diagnostics call a value. */
  String noun();

  /** Which of the kernel's clocks a time is from. */
  enum Clock {
    /** CLOCK_MONOTONIC: since boot, without time asleep. */
    MONOTONIC,
    /** CLOCK_BOOTTIME: since boot, with time asleep. */
    BOOT
  }

  /**
   * Nanoseconds of a clock in 64 bits, decoded by a pattern.
   *
   * @param pattern as of C's {@code strftime}
   */
  record Time(String pattern, Clock clock) implements Encoding {
    @Override
    public int size() {
      return Long.BYTES;
    }

    @Override
    public int alignment() {
      return Long.BYTES;
    }

    @Override
    public String noun() {
      return "time";
    }
  }
}
