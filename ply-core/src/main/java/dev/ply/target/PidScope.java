package dev.ply.target;

import java.util.Locale;
import java.util.Optional;

/** The PID namespace whose IDs {@code pid} and {@code tid} are. */
public enum PidScope {
  /** The namespace of the tracer: the IDs that its user sees. */
  CURR_NS,
  /** The initial namespace, in which the kernel itself counts. */
  INIT;

  /** Returns the scope of that name, as scripts write it. */
  public static Optional<PidScope> named(String name) {
    for (PidScope scope : values()) {
      if (scope.canonicalName().equals(name)) {
        return Optional.of(scope);
      }
    }
    return Optional.empty();
  }

  /** Returns the name as scripts write it. */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
