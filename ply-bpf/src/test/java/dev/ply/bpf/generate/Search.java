package dev.ply.bpf.generate;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import org.opentest4j.TestAbortedException;

/**
 * Looks for a value that a check fails for, outside of jqwik's own properties: as many values as a
 * number in the system properties says, in one JUnit test that may be skipped.
 */
public final class Search {
  private static final int MOST_SMALLER = 5000;

  /** Longer searches say how far they are, so that one cut off is worth something. */
  private static final int LONG = 5000;

  private static final int REPORTS = 50;

  /** At most one in so many values may be discarded. */
  private static final int MOST_DISCARDED = 10;

  private final int count;
  private final long seed;
  private int discarded;

  private Search(int count, long seed) {
    this.count = count;
    this.seed = seed;
  }

  /**
   * Returns a search among {@code -Dproperty=N} values, or the given number; {@code -Dply.seed=N}
   * repeats one.
   */
  public static Search of(String property, int usually) {
    return new Search(
        Integer.getInteger(property, usually), Long.getLong("ply.seed", System.nanoTime()));
  }

  /** Returns a search among fewer values, each of which stands for that many. */
  public Search perValue(int cases) {
    return new Search(Math.max(1, count / cases), seed);
  }

  /**
   * Checks values of an arbitrary, which is made inside of a session of jqwik.
   *
   * @param check throws for a value that fails
   * @throws AssertionError with the smallest failing value that shrinking finds, and the seed
   */
  public <T> void check(Supplier<Arbitrary<T>> values, Consumer<? super T> check) {
    JqwikSession.run(
        () -> {
          RandomGenerator<T> generator = values.get().generator(1000);
          Random random = new Random(seed);
          for (int i = 0; i < count; i++) {
            Shrinkable<T> value = generator.next(random);
            Optional<Throwable> failure = failure(value.value(), check);
            if (failure.isPresent()) {
              System.out.println(
                  "value " + i + " of -Dply.seed=" + seed + " fails: " + failure.get());
              throw shrunk(value, failure.get(), check, i);
            }
            JqwikSession.finishTry();
            if (count >= LONG && (i + 1) % (count / REPORTS) == 0) {
              System.out.println(
                  (i + 1)
                      + " of "
                      + count
                      + " values, "
                      + discarded
                      + " discarded, -Dply.seed="
                      + seed);
            }
          }
          if (discarded > count / MOST_DISCARDED + 1) {
            throw new AssertionError(
                discarded + " of " + count + " values discarded, -Dply.seed=" + seed);
          }
        });
  }

  /** Returns whether a script has only too many paths for verifiers, as nested loops can have. */
  public static boolean isTooComplex(CompilationException refusal) {
    return refusal.diagnostics().stream()
        .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .allMatch(diagnostic -> diagnostic.code() == DiagnosticCode.TOO_COMPLEX);
  }

  private <T> AssertionError shrunk(
      Shrinkable<T> first, Throwable firstFailure, Consumer<? super T> check, int number) {
    Shrinkable<T> smallest = first;
    Throwable reason = firstFailure;
    int tried = 0;
    boolean smaller = true;
    while (smaller && tried < MOST_SMALLER) {
      smaller = false;
      for (Shrinkable<T> candidate : (Iterable<Shrinkable<T>>) smallest.shrink()::iterator) {
        Optional<Throwable> failure = failure(candidate.value(), check);
        if (failure.isPresent() && failure.get().getClass() == reason.getClass()) {
          smallest = candidate;
          reason = failure.get();
          smaller = true;
          break;
        }
        if (++tried == MOST_SMALLER) {
          break;
        }
      }
    }
    return new AssertionError(
        "value "
            + number
            + " of -Dply.seed="
            + seed
            + " fails, shrunk to:\n"
            + smallest.value()
            + "\n"
            + reason.getMessage(),
        reason);
  }

  private <T> Optional<Throwable> failure(T value, Consumer<? super T> check) {
    try {
      check.accept(value);
      return Optional.empty();
    } catch (TestAbortedException e) {
      discarded++;
      return Optional.empty();
    } catch (CompilationException e) {
      if (isTooComplex(e)) {
        discarded++;
        return Optional.empty();
      }
      return Optional.of(e);
    } catch (RuntimeException | AssertionError e) {
      return Optional.of(e);
    }
  }
}
