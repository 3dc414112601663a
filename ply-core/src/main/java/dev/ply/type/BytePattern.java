package dev.ply.type;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pattern for the bytes of strings, as filters of the kernel's trace events take it (lib/glob.c):
 * {@code ?} is any byte, {@code *} any number of bytes, {@code [a-z]} and {@code [!a-z]} are sets,
 * and a backslash takes the next byte literally. A bracket that is not closed stands for itself.
 *
 * <p>The pattern is an automaton with a state for each number of elements that are matched, stars
 * aside. All states that a string can be in are the bits of one word; in {@link #after} is the rule
 * of a step, which programs follow as well.
 *
 * @param elements the number of elements that match one byte each
 * @param masks the elements, as bits from the lowest, that match the bytes of a range
 * @param stars the states, as bits from the lowest, that a star keeps
 */
public record BytePattern(int elements, Map<Range, Long> masks, long stars) {
  /** The largest number of elements: with the initial one, there are 64 states. */
  public static final int MOST_ELEMENTS = Long.SIZE - 1;

  private static final int LAST_BYTE = 0xff;

  /**
   * Bytes, as unsigned numbers.
   *
   * @param first at least 1
   * @param last at least {@code first}
   */
  public record Range(int first, int last) {
    /** Every byte of a string. */
    public static final Range ALL = new Range(1, LAST_BYTE);

    boolean contains(int value) {
      return first <= value && value <= last;
    }
  }

  /** Copies the masks, in their order. */
  public BytePattern {
    masks = ImmutableMap.copyOf(masks);
  }

  /**
   * Parses a pattern; any string is one.
   *
   * @param pattern as filters write it
   * @return the pattern, which can have more than {@link #MOST_ELEMENTS}
   */
  public static BytePattern of(String pattern) {
    byte[] bytes = TextBytes.encode(pattern);
    Map<Range, Long> masks = new LinkedHashMap<>();
    long stars = 0;
    int elements = 0;
    int at = 0;
    while (at < bytes.length) {
      int value = bytes[at++] & LAST_BYTE;
      int state = Math.min(elements, MOST_ELEMENTS);
      if (value == '*') {
        stars |= 1L << state;
        continue;
      }
      List<Range> ranges = List.of(Range.ALL);
      if (value != '?') {
        int close = value == '[' ? close(bytes, at) : -1;
        if (close >= 0) {
          ranges = set(bytes, at, close);
          at = close + 1;
        } else {
          boolean isEscape = value == '\\' && at < bytes.length;
          int literal = isEscape ? bytes[at++] & LAST_BYTE : value;
          ranges = List.of(new Range(literal, literal));
        }
      }
      for (Range range : ranges) {
        masks.merge(range, 1L << state, (one, other) -> one | other);
      }
      elements++;
    }
    return new BytePattern(elements, masks, stars);
  }

  /** Returns where a set that begins at an index is closed, or -1. */
  private static int close(byte[] bytes, int start) {
    int first = start < bytes.length && bytes[start] == '!' ? start + 1 : start;
    // What comes first is in the set, even a bracket.
    for (int i = first + 1; i < bytes.length; i++) {
      if (bytes[i] == ']') {
        return i;
      }
    }
    return -1;
  }

  private static List<Range> set(byte[] bytes, int start, int close) {
    boolean isInverted = bytes[start] == '!';
    boolean[] members = new boolean[LAST_BYTE + 1];
    int at = isInverted ? start + 1 : start;
    while (at < close) {
      int first = bytes[at++] & LAST_BYTE;
      int last = first;
      if (at + 1 < close && bytes[at] == '-') {
        last = bytes[at + 1] & LAST_BYTE;
        at += 2;
      }
      for (int i = first; i <= last; i++) {
        members[i] = true;
      }
    }
    List<Range> ranges = new ArrayList<>();
    int begin = 0;
    for (int i = 1; i <= LAST_BYTE + 1; i++) {
      boolean isMember = i <= LAST_BYTE && members[i] != isInverted;
      if (isMember && begin == 0) {
        begin = i;
      } else if (!isMember && begin > 0) {
        ranges.add(new Range(begin, i - 1));
        begin = 0;
      }
    }
    return ranges;
  }

  /** Returns the states after a byte, which is not NUL. */
  long after(long states, int value) {
    long matching = 0;
    for (Map.Entry<Range, Long> mask : masks.entrySet()) {
      matching |= mask.getKey().contains(value) ? mask.getValue() : 0;
    }
    return (states & matching) << 1 | (states & stars);
  }

  /**
   * {@return whether all bytes up to the first NUL match}
   *
   * @param string with or without a NUL
   */
  public boolean matches(byte[] string) {
    long states = 1;
    for (int i = 0; i < string.length && string[i] != 0; i++) {
      states = after(states, string[i] & LAST_BYTE);
    }
    return (states >>> elements & 1) != 0;
  }
}
