package dev.ply.bpf.cfg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The value numbers of stack contents, as disjoint byte ranges of one value each.
 *
 * <p>Packed into one array, since each jump copies it.
 */
final class StackValues {
  /** The value number of unknown contents. */
  private static final int UNKNOWN = 0;

  /** Array elements per range. */
  private static final int STRIDE = 3;

  /** Offset, size and value of each range, sorted by offset. */
  private int[] ranges = {};

  private int end;

  StackValues() {}

  private StackValues(StackValues other) {
    ranges = Arrays.copyOf(other.ranges, other.end);
    end = other.end;
  }

  /** Joins the values of one range on two paths. */
  @FunctionalInterface
  interface Join {
    /** Returns the number of the joined value. */
    int of(int mine, int theirs, int offset);
  }

  StackValues copy() {
    return new StackValues(this);
  }

  private int offset(int range) {
    return ranges[range];
  }

  private int size(int range) {
    return ranges[range + 1];
  }

  private int value(int range) {
    return ranges[range + 2];
  }

  /** Returns the first range at or after {@code offset}. */
  private int ceiling(int offset) {
    int range = 0;
    while (range < end && offset(range) < offset) {
      range += STRIDE;
    }
    return range;
  }

  void clear() {
    end = 0;
  }

  /** Removes every range that overlaps the given bytes. */
  void clear(int offset, int size) {
    int to = ceiling(offset + size);
    int from = ceiling(offset);
    if (from > 0 && offset(from - STRIDE) + size(from - STRIDE) > offset) {
      from -= STRIDE;
    }
    System.arraycopy(ranges, to, ranges, from, end - to);
    end -= to - from;
  }

  void set(int offset, int size, int value) {
    clear(offset, size);
    int range = ceiling(offset);
    if (end == ranges.length) {
      ranges = Arrays.copyOf(ranges, Math.max(4 * STRIDE, 2 * end));
    }
    System.arraycopy(ranges, range, ranges, range + STRIDE, end - range);
    ranges[range] = offset;
    ranges[range + 1] = size;
    ranges[range + 2] = value;
    end += STRIDE;
  }

  /** Returns the value number of the given bytes, 0 if unknown. */
  int get(int offset, int size, ValueTable table) {
    int range = ceiling(offset);
    if (range < end && offset(range) == offset && size(range) == size) {
      return value(range);
    }
    if (range == end || offset(range) != offset) {
      range -= STRIDE;
    }
    boolean within = range >= 0 && offset(range) + size(range) >= offset + size;
    return within && size <= Long.BYTES && Integer.bitCount(size) == 1
        ? table.part(value(range), offset - offset(range), size)
        : UNKNOWN;
  }

  /** Returns sizes and values of the ranges that cover the given bytes, if all are known. */
  Optional<List<Integer>> parts(int offset, int size) {
    List<Integer> parts = new ArrayList<>();
    int at = offset;
    for (int i = ceiling(offset); i < end && at < offset + size && offset(i) == at; i += STRIDE) {
      parts.add(size(i));
      parts.add(value(i));
      at += size(i);
    }
    return at == offset + size ? Optional.of(parts) : Optional.empty();
  }

  /** Returns the offset of a range of {@code size} bytes that holds {@code value}, if any. */
  OptionalInt find(int value, int size) {
    for (int i = 0; i < end; i += STRIDE) {
      if (value(i) == value && size(i) == size) {
        return OptionalInt.of(offset(i));
      }
    }
    return OptionalInt.empty();
  }

  /** Replaces {@code value} by the equal value {@code other} in 8-byte ranges. */
  void replace(int value, int other) {
    for (int i = 0; i < end; i += STRIDE) {
      if (value(i) == value && size(i) == Long.BYTES) {
        ranges[i + 2] = other;
      }
    }
  }

  /** Keeps what holds in {@code other} too; returns whether that changed anything. */
  boolean join(StackValues other, Join join) {
    boolean changed = false;
    int kept = 0;
    for (int i = 0; i < end; i += STRIDE) {
      int theirs = other.ceiling(offset(i));
      if (theirs < other.end
          && other.offset(theirs) == offset(i)
          && other.size(theirs) == size(i)) {
        int joined = join.of(value(i), other.value(theirs), offset(i));
        changed |= joined != value(i);
        ranges[kept] = offset(i);
        ranges[kept + 1] = size(i);
        ranges[kept + 2] = joined;
        kept += STRIDE;
      }
    }
    changed |= kept != end;
    end = kept;
    return changed;
  }
}
