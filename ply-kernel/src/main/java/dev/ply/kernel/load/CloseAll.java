package dev.ply.kernel.load;

import java.util.List;
import java.util.Optional;

/** Closes lists of resources. */
public final class CloseAll {
  private CloseAll() {}

  /** Closes all resources, then throws the first exception, if any. */
  public static void of(List<? extends AutoCloseable> owned) {
    Optional<RuntimeException> first = Optional.empty();
    for (AutoCloseable each : owned) {
      try {
        each.close();
      } catch (RuntimeException e) {
        first = first.or(() -> Optional.of(e));
      } catch (Exception e) {
        first = first.or(() -> Optional.of(new IllegalStateException(e)));
      }
    }
    if (first.isPresent()) {
      throw first.get();
    }
  }
}
