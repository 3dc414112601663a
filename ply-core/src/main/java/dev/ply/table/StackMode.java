package dev.ply.table;

import java.util.Locale;
import java.util.Optional;

/** Print formats of stack traces, a frame per line. */
public enum StackMode {
  /** A tab, symbol and decimal offset; an address without symbol. */
  PLY,
  /** Four spaces, symbol and decimal offset. */
  BPFTRACE,
  /** The address in hexadecimal, symbol and offset, and for user code the file. */
  PERF,
  /** The address alone, in hexadecimal. */
  RAW,
  /** As {@link #BPFTRACE}; user code with {@code @file:line}, where debug information has it. */
  LINES,
  /**
   * The build ID of the file and the offset in it, in hexadecimal; the address where code has none.
   * Of user code alone.
   */
  BUILD_ID,
  /**
   * A tab and the function, without an offset; an address without symbol. Keys whose stacks are of
   * the same functions are one row.
   */
  FUNCTIONS;

  /**
   * {@return the mode of this name, as scripts write it}
   *
   * @param name {@code ply}, {@code bpftrace}, {@code perf}, {@code raw}, {@code lines}, {@code
   *     build_id} or {@code functions}
   */
  public static Optional<StackMode> named(String name) {
    for (StackMode mode : values()) {
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
