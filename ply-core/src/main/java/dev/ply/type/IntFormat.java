package dev.ply.type;

import java.util.Optional;

/** Default print formats of integers, with the names of types that differ only in their format. */
public enum IntFormat {
  /** Signed or unsigned decimal. */
  DECIMAL,
  /** A truth value: {@code true} and {@code false} in bpftrace's layout, else decimal. */
  BOOLEAN,
  /** An average of a map: decimal; a map of averages is one of statistics in JSON. */
  AVERAGE,
  /** A character of a string. */
  CHARACTER("char"),
  /** A PID or TID: decimal, five columns. */
  PID(":pid"),
  /** A UID or GID: decimal, four columns. */
  UID(":uid"),
  /** A CPU number: decimal, two columns. */
  CPU(":cpu"),
  /** A machine register: hexadecimal with {@code 0x}; zero is {@code 0}. */
  HEX("reg_t"),
  /** A kernel address: symbol and decimal offset. */
  SYMBOL("caller_t"),
  /** A kernel stack id: one line per frame. */
  STACK(":stackid"),
  /** A kernel stack id: one line per function; equal functions are one key. */
  FUNCTIONS(":functions"),
  /** The id of a probe site: its definition. */
  PROBE(":probe"),
  /** A TGID and, in the low half, a user stack id: one line per frame. */
  USER_STACK(":ustackid"),
  /** A TGID and a user stack id: one line per function; equal functions are one key. */
  USER_FUNCTIONS(":ufunctions"),
  /** The ID of a cgroup: its path, or decimal if it has none. */
  CGROUP(":cgroup"),
  /** Nanoseconds: four digits and a unit. */
  DURATION(":time"),
  /** A total of durations: printed as one, and a plain number in ply 2.4's layout. */
  DURATION_SUM(":time"),
  /** An average of durations: printed as one. */
  DURATION_AVERAGE(":time"),
  /** Nanoseconds since boot, printed as seconds: a difference of two is a duration. */
  SINCE_BOOT(":time"),
  /** Nanoseconds since boot: printed as the time of day. */
  TIME_OF_DAY(":walltime"),
  /** The bits of a float or a double, by its size, in an array of one: printed as its number. */
  FLOATING_POINT,
  /** Offset and length within a tracepoint's record. */
  DATA_LOCATION(":__data_loc");

  private final Optional<String> typeName;

  IntFormat() {
    this.typeName = Optional.empty();
  }

  IntFormat(String typeName) {
    this.typeName = Optional.of(typeName);
  }

  /** {@return whether values are stack IDs} */
  public boolean isStack() {
    return isUserStack() || this == STACK || this == FUNCTIONS;
  }

  /** {@return whether values are TGIDs and ids of user stacks} */
  public boolean isUserStack() {
    return this == USER_STACK || this == USER_FUNCTIONS;
  }

  /** {@return whether values stand for the functions of a stack, wherever in them it was} */
  public boolean isOfFunctions() {
    return this == FUNCTIONS || this == USER_FUNCTIONS;
  }

  /** {@return whether values are lengths of time} */
  public boolean isDuration() {
    return this == DURATION || this == DURATION_SUM || this == DURATION_AVERAGE;
  }

  /** {@return whether values are points in time, by the clock that counts from boot} */
  public boolean isPointInTime() {
    return this == SINCE_BOOT || this == TIME_OF_DAY;
  }

  /** {@return whether values are averages} */
  public boolean isAverage() {
    return this == AVERAGE || this == DURATION_AVERAGE;
  }

  /** {@return the format of a total of values with this format} */
  public IntFormat ofSum() {
    return isDuration() || isPointInTime() ? DURATION_SUM : DECIMAL;
  }

  /** {@return the format of an average of values with this format} */
  public IntFormat ofAverage() {
    return isDuration() || isPointInTime() ? DURATION_AVERAGE : AVERAGE;
  }

  /** {@return the format of the smallest or the largest value, of times their own} */
  public IntFormat ofExtreme() {
    return isDuration() ? DURATION : isPointInTime() ? this : DECIMAL;
  }

  /**
   * {@return the name of integer types with this format; empty where the size determines the name}
   */
  public Optional<String> typeName() {
    return typeName;
  }
}
