package dev.ply.probe;

import dev.ply.ir.declaration.Setting;
import java.util.Locale;

/**
 * What happens to a trace of several probes if the machine lacks some of them, or refuses them. If
 * it lacks all, that is an error.
 */
public enum MissingProbes {
  /** The trace does not start. */
  ERROR,
  /** They are left out, with a note for each. */
  WARN,
  /** They are left out. */
  IGNORE;

  /** {@return the value of {@link Setting#MISSING_PROBES}} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
