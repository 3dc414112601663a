package dev.ply.target;

import java.util.Locale;
import java.util.Optional;

/** The PID namespace of {@code pid} and {@code tid}. */
public enum PidScope {
  /** The namespace of the tracer: IDs as its user sees them. */
  CURR_NS,
  /** The initial namespace: IDs as the kernel sees them. */
  INIT,
  /** The innermost namespace of the thread: IDs as its container sees them. */
  CONTAINER;

  /**
   * {@return the scope of a name, as scripts write it}
   *
   * @param name {@code curr_ns}, {@code init} or {@code container}
   */
  public static Optional<PidScope> named(String name) {
    for (PidScope scope : values()) {
      if (scope.canonicalName().equals(name)) {
        return Optional.of(scope);
      }
    }
    return Optional.empty();
  }

  /** {@return the name as scripts write it} */
  public String canonicalName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
