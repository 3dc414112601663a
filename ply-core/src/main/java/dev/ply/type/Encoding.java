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

  /**
   * An address of the Internet: the family in 32 bits, {@code AF_INET} or {@code AF_INET6}, then 16
   * bytes in network order, of which IPv4 has the first four.
   */
  record InternetAddress() implements Encoding {
    /** The bytes before the address. */
    public static final int FAMILY_BYTES = 4;

    /** The bytes of the longest address. */
    public static final int ADDRESS_BYTES = 16;

    /** The family of IPv4, AF_INET. */
    public static final int IPV4 = 2;

    /** The family of IPv6, AF_INET6. */
    public static final int IPV6 = 10;

    @Override
    public int size() {
      return FAMILY_BYTES + ADDRESS_BYTES;
    }

    @Override
    public int alignment() {
      return Integer.BYTES;
    }

    @Override
    public String noun() {
      return "Internet address";
    }
  }

  /** A hardware address of six bytes. */
  record MacAddress() implements Encoding {
    /** The bytes of an address. */
    public static final int BYTES = 6;

    @Override
    public int size() {
      return BYTES;
    }

    @Override
    public int alignment() {
      return 1;
    }

    @Override
    public String noun() {
      return "MAC address";
    }
  }

  /** The message of an error number of 64 bits. */
  record ErrorMessage() implements Encoding {
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
      return "error message";
    }
  }

  /** The function of a probe, whose number has 64 bits. */
  record ProbedFunction() implements Encoding {
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
      return "function";
    }
  }

  /** A symbol of a process: its address in 64 bits, then the PID in 64 bits. */
  record UserSymbol() implements Encoding {
    @Override
    public int size() {
      return 2 * Long.BYTES;
    }

    @Override
    public int alignment() {
      return Long.BYTES;
    }

    @Override
    public String noun() {
      return "symbol";
    }
  }
}
