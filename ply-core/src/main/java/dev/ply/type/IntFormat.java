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
  /** The id of a probe site: its definition. */
  PROBE(":probe"),
  /** A TGID and, in the low half, a user stack id: one line per frame. */
  USER_STACK(":ustackid"),
  /** The ID of a cgroup: its path, or decimal if it has none. */
  CGROUP(":cgroup"),
  /** Nanoseconds: four digits and a unit. */
  DURATION(":time"),
  /** Nanoseconds since boot: printed as the time of day. */
  TIME_OF_DAY(":walltime"),
  /** Offset and length within a tracepoint's record. */
  DATA_LOCATION(":__data_loc");

  private final Optional<String> typeName;

  IntFormat() {
    this.typeName = Optional.empty();
  }

  IntFormat(String typeName) {
    this.typeName = Optional.of(typeName);
  }

  /**
   * {@return the name of integer types with this format; empty where the size determines the name}
   */
  public Optional<String> typeName() {
    return typeName;
  }
}
