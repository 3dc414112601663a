package dev.ply.builtin;

import java.util.Locale;
import java.util.Optional;

/** How the frames of a user stack are found. */
public enum StackWalk {
  /**
   * By unwind tables, which most files have for debuggers and exceptions ({@code .eh_frame}, in the
   * format of DWARF); in code without one, by frame pointers.
   */
  DWARF,
  /** By frame pointers: cheaper, and whole where all code has them. */
  FP;

  /**
   * {@return the way of this name, as scripts write it}
   *
   * @param name {@code dwarf} or {@code fp}
   */
  public static Optional<StackWalk> named(String name) {
    for (StackWalk walk : values()) {
      if (walk.canonicalName().equals(name)) {
        return Optional.of(walk);
      }
    }
    return Optional.empty();
  }

  /** {@return the name as scripts write it} */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
