package dev.ply.diagnostic;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds similar names, for "did you mean". */
public final class Suggestions {
  /** The hint for what exists, but not in the module that the script names. */
  public static final String NOT_IN_MODULE = "it is elsewhere: leave out the module";

  /** The weight of an insertion, deletion or substitution. */
  private static final int EDIT = 4;

  /** The most edits of a misspelling, however long the word. */
  private static final int MOST_EDITS = 4;

  /** The weight of a transposition, a more likely slip than a wrong letter. */
  private static final int SWAP = 3;

  private Suggestions() {}

  /**
   * {@return the most similar candidate, if similar enough, ignoring case; the first one among
   * equals. Names that differ in the underscores around them only are the most similar: what the
   * kernel renames is often {@code __state} instead of {@code state}}
   *
   * @param word what the script has
   * @param candidates what it could have
   */
  public static Optional<String> nearest(String word, Stream<String> candidates) {
    String small = word.toLowerCase(Locale.ROOT);
    int limit = EDIT * Math.min(MOST_EDITS, Math.max(1, word.length() / 3));
    String best = null;
    int bestDistance = limit + 1;
    for (String candidate : (Iterable<String>) candidates::iterator) {
      if (isBare(small, candidate)) {
        return Optional.of(candidate);
      }
      if (EDIT * Math.abs(candidate.length() - word.length()) < bestDistance) {
        int distance = distance(small, candidate.toLowerCase(Locale.ROOT), bestDistance);
        if (distance < bestDistance) {
          best = candidate;
          bestDistance = distance;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns whether two different names are the same but for underscores before and after. */
  private static boolean isBare(String a, String b) {
    int startA = start(a);
    int startB = start(b);
    int length = end(a) - startA;
    return length > 2
        && length == end(b) - startB
        && a.length() != b.length()
        && a.regionMatches(true, startA, b, startB, length);
  }

  private static int start(String name) {
    int i = 0;
    while (i < name.length() && name.charAt(i) == '_') {
      i++;
    }
    return i;
  }

  private static int end(String name) {
    int i = name.length();
    while (i > 0 && name.charAt(i - 1) == '_') {
      i--;
    }
    return i;
  }

  /**
   * {@return a hint with the most similar candidate, or with all candidates if none is similar}
   *
   * @param word what the script has
   * @param candidates what it could have
   * @param otherwise the hint if none is similar
   */
  public static String[] hint(String word, Stream<String> candidates, String... otherwise) {
    return nearest(word, candidates)
        .map(name -> new String[] {"did you mean \"" + name + "\"?"})
        .orElse(otherwise);
  }

  /** Optimal string alignment distance, weighted; stops at {@code limit}. */
  private static int distance(String a, String b, int limit) {
    int[] beforePrevious = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = EDIT * j;
    }
    int smallestBefore = 0;
    for (int i = 1; i <= a.length(); i++) {
      current[0] = EDIT * i;
      int smallest = current[0];
      for (int j = 1; j <= b.length(); j++) {
        int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : EDIT);
        int value = Math.min(substitution, Math.min(previous[j], current[j - 1]) + EDIT);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          value = Math.min(value, beforePrevious[j - 2] + SWAP);
        }
        current[j] = value;
        smallest = Math.min(smallest, value);
      }
      if (Math.min(smallest, smallestBefore + SWAP) >= limit) {
        return limit;
      }
      smallestBefore = smallest;
      int[] reused = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = reused;
    }
    return previous[b.length()];
  }
}
