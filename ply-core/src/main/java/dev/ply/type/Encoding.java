package dev.ply.type;

/** The encoding of strings that user space decodes and programs cannot compute with. */
public sealed interface Encoding {
  /** {@return the bytes that a value takes, 8 unless it is more than a number} */
  default int size() {
    return Long.BYTES;
  }

  /** {@return the alignment in bytes, a power of two} */
  default int alignment() {
    return Long.BYTES;
  }

  /** {@return what messages call a value} */
  String noun();

  /**
   * Calls the visitor's method for this kind of encoding.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /** An operation with one case per kind of encoding. */
  interface Visitor<R> {
    /** Handles a time. */
    R visit(Time encoding);

    /** Handles an IP address. */
    R visit(InternetAddress encoding);

    /** Handles a MAC address. */
    R visit(MacAddress encoding);

    /** Handles an error message. */
    R visit(ErrorMessage encoding);

    /** Handles the function of a probe. */
    R visit(ProbedFunction encoding);

    /** Handles a string in quotes. */
    R visit(QuotedString encoding);

    /** Handles a symbol of a process. */
    R visit(UserSymbol encoding);

    /** Handles a buffer. */
    R visit(Buffer encoding);

    /** Handles the strings of a block of memory. */
    R visit(Words encoding);

    /** Handles the name of a user. */
    R visit(UserName encoding);

    /** Handles the name of a thread. */
    R visit(ThreadName encoding);

    /** Handles the container of a cgroup. */
    R visit(Container encoding);

    /** Handles the pod of a cgroup. */
    R visit(Pod encoding);

    /** Handles the name of a system call. */
    R visit(SystemCallName encoding);

    /** Handles the name of a signal. */
    R visit(SignalName encoding);

    /** Handles a choice of an encoded string and a literal. */
    R visit(EncodedOrText encoding);
  }

  /** The kernel's clock of a time. */
  enum Clock {
    /** CLOCK_MONOTONIC: since boot, without suspend. */
    MONOTONIC,
    /** CLOCK_BOOTTIME: since boot, including suspend. */
    BOOT
  }

  /**
   * Nanoseconds of a clock in 64 bits, formatted by a pattern.
   *
   * @param pattern as for C's {@code strftime}
   * @param clock which counts the nanoseconds
   */
  record Time(String pattern, Clock clock) implements Encoding {
    @Override
    public String noun() {
      return "time";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An IP address: the family in 32 bits, {@code AF_INET} or {@code AF_INET6}, then 16 bytes in
   * network order, of which IPv4 uses the first four.
   */
  record InternetAddress() implements Encoding {
    /** The size of the family, before the address. */
    public static final int FAMILY_BYTES = 4;

    /** The size of the address. */
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A MAC address of six bytes. */
  record MacAddress() implements Encoding {
    /** The size of an address in bytes. */
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The message of an errno in 64 bits. */
  record ErrorMessage() implements Encoding {
    @Override
    public String noun() {
      return "error message";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The function of a probe site, whose number has 64 bits.
   *
   * @param systemCalls what is before the names of system calls: {@code SyS_}; if empty, {@code
   *     sys_enter_} and {@code sys_exit_}
   */
  record ProbedFunction(String systemCalls) implements Encoding {
    /**
     * {@return the name of the function in the definition of a probe site, without module and
     * offset; elsewhere the last part of the definition}
     *
     * @param definition no pattern
     */
    public static String name(String definition) {
      String name = definition.substring(definition.lastIndexOf(':') + 1);
      int offset = name.indexOf('+');
      return offset < 0 ? name : name.substring(0, offset);
    }

    @Override
    public String noun() {
      return "function";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A string read from memory, in quotes: what the helper returned in 64 bits, negative if the
   * memory could not be read, then the bytes.
   *
   * @param bytes of the string, including the NUL
   */
  record QuotedString(int bytes) implements Encoding {
    @Override
    public int size() {
      return Long.BYTES + ((bytes + 7) & -8);
    }

    @Override
    public String noun() {
      return "quoted string";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A user symbol: its address in 64 bits, then the PID in 64 bits. */
  record UserSymbol() implements Encoding {
    @Override
    public int size() {
      return 2 * Long.BYTES;
    }

    @Override
    public String noun() {
      return "symbol";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Strings one after another, each with its NUL, laid out as a {@link Buffer}.
   *
   * @param capacity the maximum number of bytes
   */
  record Words(int capacity) implements Encoding {
    @Override
    public int size() {
      return new Buffer(capacity).size();
    }

    @Override
    public int alignment() {
      return Integer.BYTES;
    }

    @Override
    public String noun() {
      return "strings";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Bytes of any value: their number in 32 bits, then as many bytes.
   *
   * @param capacity the maximum number of bytes
   */
  record Buffer(int capacity) implements Encoding {
    /** The size of the number of bytes, before them. */
    public static final int LENGTH_BYTES = 4;

    @Override
    public int size() {
      return LENGTH_BYTES + capacity;
    }

    @Override
    public int alignment() {
      return Integer.BYTES;
    }

    @Override
    public String noun() {
      return "buffer";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The name of a user, whose ID has 64 bits. */
  record UserName() implements Encoding {
    @Override
    public String noun() {
      return "user name";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The name of a thread, whose ID has 64 bits. */
  record ThreadName() implements Encoding {
    @Override
    public String noun() {
      return "thread name";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The container of a cgroup, whose ID has 64 bits. */
  record Container() implements Encoding {
    @Override
    public String noun() {
      return "container";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The pod of a cgroup, whose ID has 64 bits. */
  record Pod() implements Encoding {
    @Override
    public String noun() {
      return "pod";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The name of a system call, whose number has 64 bits. */
  record SystemCallName() implements Encoding {
    @Override
    public String noun() {
      return "system call name";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The name of a signal in 64 bits. */
  record SignalName() implements Encoding {
    @Override
    public String noun() {
      return "signal name";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A string of another encoding, or plain text: a 64-bit tag and the value, which is encoded if
   * the tag is 0 and text padded with NULs if it is 1.
   *
   * @param encoding neither a buffer, nor a quoted string, nor a choice itself
   * @param bytes of the longest string, with a NUL, a multiple of 8
   */
  record EncodedOrText(Encoding encoding, int bytes) implements Encoding {
    /** The size of the number that distinguishes them. */
    public static final int TAG_BYTES = Long.BYTES;

    /** {@return the size of the string or of the encoded value, whichever is longer} */
    public int valueBytes() {
      return Math.max(bytes, (encoding.size() + 7) & -8);
    }

    @Override
    public int size() {
      return TAG_BYTES + valueBytes();
    }

    @Override
    public String noun() {
      return encoding.noun() + " or string";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
