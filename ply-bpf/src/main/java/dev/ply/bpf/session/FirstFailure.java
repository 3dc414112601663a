package dev.ply.bpf.session;

import java.util.Optional;

/**
 * Runs steps that must all be tried, and keeps what the first failed one has thrown: an exception
 * or an error, in which later ones are suppressed. For one thread.
 */
final class FirstFailure {
  private Optional<Throwable> first = Optional.empty();

  /** Runs a step. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      first.ifPresent(earlier -> suppress(earlier, e));
      first = first.or(() -> Optional.of(e));
    }
  }

  /** Throws what the first failed step has thrown, if any. */
  void throwIfAny() {
    if (first.isPresent()) {
      if (first.get() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first.get();
    }
  }

  /**
   * Adds a later exception to an earlier one. They can be the same object: the virtual machine
   * throws some errors again.
   */
  static void suppress(Throwable earlier, Throwable later) {
    if (earlier != later) {
      earlier.addSuppressed(later);
    }
  }
}
