package dev.ply.cli.lsp;

import dev.ply.target.Target;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * How long a check goes on: while its document is the newest version, and for a limited time. A
 * script of a million characters can name a hundred thousand functions, each of which is looked up.
 */
final class Patience {
  private final BooleanSupplier isWanted;
  private final Duration longest;
  private final long begin = System.nanoTime();

  /**
   * Begins to wait.
   *
   * @param isWanted whether somebody waits for the check
   */
  Patience(BooleanSupplier isWanted, Duration longest) {
    this.isWanted = isWanted;
    this.longest = longest;
  }

  /** Thrown where a check takes too long. */
  static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLongException(Duration longest) {
      super("it takes longer than " + longest.toSeconds() + " seconds");
    }
  }

  /**
   * Returns if the check is to go on.
   *
   * @throws CancellationException if nobody waits for it
   * @throws TooLongException if its time is over
   */
  void check() {
    if (!isWanted.getAsBoolean()) {
      throw new CancellationException();
    }
    if (System.nanoTime() - begin > longest.toNanos()) {
      throw new TooLongException(longest);
    }
  }

  /** Returns a machine that answers only as long as the check is to go on. */
  Target limited(Target target) {
    return (Target)
        Proxy.newProxyInstance(
            Target.class.getClassLoader(),
            new Class<?>[] {Target.class},
            (proxy, method, arguments) -> {
              check();
              try {
                return method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
