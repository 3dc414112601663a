package dev.ply.type;

import java.util.Optional;

/**
 * How integers print by default, and the language's names for types that differ in nothing else.
 */
public enum IntFormat {
  /** In decimal, with its sign. */
  DECIMAL,
  /** As part of a text. */
  CHARACTER("char"),
  /** A process or thread id: decimal, five columns. */
  PID(":pid"),
  /** A user or group id: decimal, four columns. */
  UID(":uid"),
  /** A CPU's number: decimal, two columns. */
  CPU(":cpu"),
  /** A machine register: hexadecimal with {@code 0x}; zero is {@code 0}. */
  HEX("reg_t"),
  /** A kernel address: function and decimal offset. */
  SYMBOL("caller_t"),
  /** The number under which the kernel keeps a stack trace: a line for each of its functions. */
  STACK(":stackid"),
  /** The number of a place where a program is attached: its definition. */
  PROBE(":probe"),
  /** A process's number, and below it that of a stack trace: a line for each of its functions. */
  USER_STACK(":ustackid"),
  /** Nanoseconds: four digits and a unit. */
  DURATION(":time"),
  /** Nanoseconds since boot: the time of day then. */
  TIME_OF_DAY(":walltime"),
  /** An offset and length inside a tracepoint's record. */
  DATA_LOCATION(":__data_loc");

  private final Optional<String> typeName;

  IntFormat() {
    this.typeName = Optional.empty();
  }

  IntFormat(String typeName) {
    this.typeName = Optional.of(typeName);
  }

  /** Returns the name of the integer types that print so; empty where the size names the type. */
  public Optional<String> typeName() {
    return typeName;
  }
}
