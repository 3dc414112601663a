package dev.ply.result;

import java.util.Locale;
import java.util.Optional;

/** How stack traces print: what there is of each function, one a line. */
public enum StackMode {
  /** Function and decimal offset behind a tab; the address of what has no name. */
  PLY,
  /** As {@link #PLY} does, behind four spaces. */
  BPFTRACE,
  /**
   * The address in hexadecimal, function and offset, and of processes the file that has the code.
   */
  PERF,
  /** The address alone, in hexadecimal. */
  RAW;

  /** Returns the mode of that name, as scripts write it. */
  public static Optional<StackMode> named(String name) {
    for (StackMode mode : values()) {
      if (mode.canonicalName().equals(name)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }

  /** Returns the name as scripts write it. */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
