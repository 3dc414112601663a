package dev.ply.bpf.cfg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of the stack at one point of a program: pieces of it that hold one value each. All
 * stand in one array, since a copy is made for each jump.
 */
final class StackValues {
  /** No value is known. */
  private static final int UNKNOWN = 0;

  /** Numbers that describe a piece. */
  private static final int STRIDE = 3;

  /** The offset, size and value of each piece, in the order of their offsets. */
  private int[] pieces = {};

  private int end;

  StackValues() {}

  private StackValues(StackValues other) {
    pieces = Arrays.copyOf(other.pieces, other.end);
    end = other.end;
  }

  /** Says which value two ways bring to the piece at an offset. */
  @FunctionalInterface
  interface Join {
    /** Returns the number of what is one of two values. */
    int of(int mine, int theirs, int offset);
  }

  StackValues copy() {
    return new StackValues(this);
  }

  private int offset(int piece) {
    return pieces[piece];
  }

  private int size(int piece) {
    return pieces[piece + 1];
  }

  private int value(int piece) {
    return pieces[piece + 2];
  }

  /** Returns the first piece that begins at an offset or behind it. */
  private int ceiling(int offset) {
    int piece = 0;
    while (piece < end && offset(piece) < offset) {
      piece += STRIDE;
    }
    return piece;
  }

  void clear() {
    end = 0;
  }

  /** Forgets what is known of some bytes, and of the rest of the pieces that they are part of. */
  void forget(int offset, int size) {
    int to = ceiling(offset + size);
    int from = ceiling(offset);
    if (from > 0 && offset(from - STRIDE) + size(from - STRIDE) > offset) {
      from -= STRIDE;
    }
    System.arraycopy(pieces, to, pieces, from, end - to);
    end -= to - from;
  }

  void set(int offset, int size, int value) {
    forget(offset, size);
    int piece = ceiling(offset);
    if (end == pieces.length) {
      pieces = Arrays.copyOf(pieces, Math.max(4 * STRIDE, 2 * end));
    }
    System.arraycopy(pieces, piece, pieces, piece + STRIDE, end - piece);
    pieces[piece] = offset;
    pieces[piece + 1] = size;
    pieces[piece + 2] = value;
    end += STRIDE;
  }

  /** Returns the number of what some bytes hold, 0 if that is not known. */
  int get(int offset, int size, ValueTable table) {
    int piece = ceiling(offset);
    if (piece < end && offset(piece) == offset && size(piece) == size) {
      return value(piece);
    }
    if (piece == end || offset(piece) != offset) {
      piece -= STRIDE;
    }
    boolean within = piece >= 0 && offset(piece) + size(piece) >= offset + size;
    return within && size <= Long.BYTES && Integer.bitCount(size) == 1
        ? table.part(value(piece), offset - offset(piece), size)
        : UNKNOWN;
  }

  /** Returns sizes and values of the pieces that some bytes are made of, if all are known. */
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

  /** Returns the offset of a piece that holds a value, if there is one. */
  OptionalInt find(int value, int size) {
    for (int i = 0; i < end; i += STRIDE) {
      if (value(i) == value && size(i) == size) {
        return OptionalInt.of(offset(i));
      }
    }
    return OptionalInt.empty();
  }

  /** Learns that words that hold one value hold another, which is the same. */
  void replace(int value, int other) {
    for (int i = 0; i < end; i += STRIDE) {
      if (value(i) == value && size(i) == Long.BYTES) {
        pieces[i + 2] = other;
      }
    }
  }

  /** Keeps what holds in the other state too; tells whether that was less. */
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
        pieces[kept] = offset(i);
        pieces[kept + 1] = size(i);
        pieces[kept + 2] = joined;
        kept += STRIDE;
      }
    }
    changed |= kept != end;
    end = kept;
    return changed;
  }
}
