package dev.ply.kernel.unwind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the programs {@code deep} of the resources say of their stacks.
 *
 * @param ways the names of the ways in which their function was called, by number
 * @param calls how often that was
 * @param shadows return addresses that functions noted when they were called, innermost first: the
 *     last is that of the outermost function, in C libraries
 * @param truths whole stacks but for the innermost two addresses, where the C library can tell them
 */
public record KnownStacks(
    Map<Long, String> ways,
    Map<Long, Long> calls,
    Map<Long, List<Long>> shadows,
    Map<Long, Set<List<Long>>> truths) {
  /** What a recorded stack is. */
  public enum Verdict {
    /** All frames to the outermost function. */
    WHOLE,
    /** The innermost frames, then a marker. */
    CUT,
    /** Some frame is wrong, or is missing without a marker. */
    WRONG
  }

  /** Reads what a program prints. */
  public static KnownStacks of(Iterable<String> lines) {
    KnownStacks known =
        new KnownStacks(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    for (String line : lines) {
      List<String> words = List.of(line.split(" "));
      if (words.size() > 2) {
        known.add(words.get(0), Long.parseLong(words.get(1)), words.subList(2, words.size()));
      }
    }
    return known;
  }

  private void add(String kind, long way, List<String> words) {
    switch (kind) {
      case "way" -> {
        ways.put(way, words.get(0));
        calls.put(way, Long.parseLong(words.get(1)));
      }
      case "shadow" -> shadows.put(way, addresses(words));
      case "truth" -> truths.computeIfAbsent(way, first -> new HashSet<>()).add(addresses(words));
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static List<Long> addresses(List<String> words) {
    return words.stream().map(word -> Long.parseUnsignedLong(word, 16)).toList();
  }

  /**
   * Judges a stack.
   *
   * @param stack the recorded addresses, without those of the innermost two functions and the
   *     marker
   * @param isCut whether there was a marker
   */
  public Verdict verdict(long way, List<Long> stack, boolean isCut) {
    Set<List<Long>> whole = truths.getOrDefault(way, Set.of());
    List<Long> shadow = shadows.getOrDefault(way, List.of());
    // Without unwind tables, the C library sees less than the program.
    boolean isTold = whole.stream().anyMatch(truth -> truth.size() >= shadow.size());
    if (isTold) {
      if (whole.contains(stack) || (!isCut && continues(stack, whole))) {
        return Verdict.WHOLE;
      }
      boolean isBegun =
          whole.stream()
              .anyMatch(
                  truth ->
                      truth.size() > stack.size() && truth.subList(0, stack.size()).equals(stack));
      return isCut && isBegun ? Verdict.CUT : Verdict.WRONG;
    }
    List<Long> left = new ArrayList<>(shadow);
    stack.forEach(
        address -> {
          if (!left.isEmpty() && left.get(0).equals(address)) {
            left.remove(0);
          }
        });
    if (left.isEmpty() && !shadow.isEmpty()) {
      return Verdict.WHOLE;
    }
    return isCut ? Verdict.CUT : Verdict.WRONG;
  }

  /** Where the C library sees only the innermost frames, as of stubs in static programs. */
  private static boolean continues(List<Long> stack, Set<List<Long>> truths) {
    List<Long> longest = truths.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
    return stack.get(stack.size() - 1).equals(longest.get(longest.size() - 1))
        && truths.stream()
            .anyMatch(
                truth ->
                    truth.size() < stack.size() && stack.subList(0, truth.size()).equals(truth));
  }
}
