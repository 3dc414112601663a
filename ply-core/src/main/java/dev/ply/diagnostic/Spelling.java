package dev.ply.diagnostic;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the word somebody meant. */
public final class Spelling {
  private Spelling() {}

  /**
   * Returns the candidate nearest to {@code word}, if one is near enough to be what was meant;
   * small and capital letters are the same.
   */
  public static Optional<String> nearest(String word, Stream<String> candidates) {
    String small = word.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, word.length() / 3);
    String best = null;
    int bestDistance = limit + 1;
    for (String candidate : (Iterable<String>) candidates::iterator) {
      if (Math.abs(candidate.length() - word.length()) < bestDistance) {
        int distance = distance(small, candidate.toLowerCase(Locale.ROOT), bestDistance);
        if (distance < bestDistance) {
          best = candidate;
          bestDistance = distance;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the hint that names the nearest candidate, or no hint. */
  public static String[] hint(String word, Stream<String> candidates) {
    return nearest(word, candidates)
        .map(name -> new String[] {"did you mean \"" + name + "\"?"})
        .orElseGet(() -> new String[0]);
  }

  /** Optimal string alignment: edits and swaps of neighbours; gives up at {@code limit}. */
  private static int distance(String a, String b, int limit) {
    int[] beforePrevious = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      int smallest = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int value = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          value = Math.min(value, beforePrevious[j - 2] + 1);
        }
        current[j] = value;
        smallest = Math.min(smallest, value);
      }
      if (smallest >= limit) {
        return limit;
      }
      int[] reused = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = reused;
    }
    return previous[b.length()];
  }
}
