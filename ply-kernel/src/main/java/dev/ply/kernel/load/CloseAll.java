package dev.ply.kernel.load;

import java.util.List;
import java.util.Optional;

/** Closes lists of resources. */
public final class CloseAll {
  private CloseAll() {}

  /**
   * Closes all resources, then throws the first exception or error, if any; others are suppressed
   * in it.
   */
  public static void of(List<? extends AutoCloseable> owned) {
    Optional<Throwable> first = Optional.empty();
    for (AutoCloseable each : owned) {
      try {
        each.close();
      } catch (Exception | Error e) {
        first.filter(earlier -> earlier != e).ifPresent(earlier -> earlier.addSuppressed(e));
        first = first.or(() -> Optional.of(e));
      }
    }
    if (first.isPresent()) {
      throw unchecked(first.get());
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(thrown);
  }
}
