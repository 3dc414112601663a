package dev.ply.kernel.symbol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Symbols sorted by address, in primitive arrays, since a kernel has more than a hundred thousand:
 * functions, and others, which are the ends of functions.
 */
final class SymbolIndex {
  private final byte[] text;
  private final long[] addresses;
  private final int[] nameOffsets;

  /**
   * Sorts symbols given in parallel arrays; stable.
   *
   * @param text contains the names, each ended by a control character or space
   * @param nameOffsets where the names begin, of others than functions by {@link #notFunction}
   */
  SymbolIndex(byte[] text, long[] addresses, int[] nameOffsets) {
    int[] order = IntStream.range(0, addresses.length).toArray();
    if (!isSorted(addresses)) {
      order =
          Arrays.stream(order)
              .boxed()
              .sorted(Comparator.comparing(i -> addresses[i], Long::compareUnsigned))
              .mapToInt(Integer::intValue)
              .toArray();
    }
    this.text = text;
    this.addresses = Arrays.stream(order).mapToLong(i -> addresses[i]).toArray();
    this.nameOffsets = Arrays.stream(order).map(i -> nameOffsets[i]).toArray();
  }

  /** Returns how the name offset of another symbol than a function is given. */
  static int notFunction(int nameOffset) {
    return ~nameOffset;
  }

  /** Returns the number of symbols. */
  int size() {
    return addresses.length;
  }

  /**
   * Returns the index of the first function at the highest address up to {@code address}, if there
   * is one.
   */
  OptionalInt function(long address) {
    int last = lastUpTo(address);
    OptionalInt function = OptionalInt.empty();
    for (int i = last; i >= 0 && addresses[i] == addresses[last]; i--) {
      if (isFunction(i)) {
        function = OptionalInt.of(i);
      }
    }
    return function;
  }

  /**
   * Returns the index of the first symbol of any kind at the highest address up to {@code address},
   * which the kernel names, if there is one.
   */
  OptionalInt first(long address) {
    int first = lastUpTo(address);
    while (first > 0 && addresses[first - 1] == addresses[first]) {
      first--;
    }
    return first < 0 ? OptionalInt.empty() : OptionalInt.of(first);
  }

  long address(int position) {
    return addresses[position];
  }

  boolean isFunction(int position) {
    return nameOffsets[position] >= 0;
  }

  private int nameOffset(int position) {
    int offset = nameOffsets[position];
    return offset < 0 ? ~offset : offset;
  }

  /** Returns the kind of a symbol, a letter. */
  char kind(int position) {
    return (char) text[nameOffset(position) - 2];
  }

  String name(int position) {
    int start = nameOffset(position);
    int end = start;
    while (end < text.length && text[end] > ' ') {
      end++;
    }
    return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** Returns whether a symbol has a name, as {@link #name} has it, without making it. */
  boolean isNamed(int position, String name) {
    int start = nameOffset(position);
    int end = start + name.length();
    if (end > text.length || (end < text.length && text[end] > ' ')) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if ((text[start + i] & 0xff) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the module of a symbol, empty for vmlinux. */
  String module(int position) {
    int start = nameOffset(position);
    while (start < text.length && text[start] > ' ') {
      start++;
    }
    if (start + 1 >= text.length || text[start] != '\t' || text[start + 1] != '[') {
      return "";
    }
    int end = start + 2;
    while (end < text.length && text[end] != ']' && text[end] != '\n') {
      end++;
    }
    return new String(text, start + 2, end - start - 2, StandardCharsets.ISO_8859_1);
  }

  /** Returns the distance in bytes from a symbol to the next higher address. */
  long size(int position) {
    int next = lastUpTo(addresses[position]) + 1;
    return next < addresses.length ? addresses[next] - addresses[position] : 0;
  }

  private int lastUpTo(long address) {
    int low = 0;
    int high = addresses.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(addresses[middle], address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private static boolean isSorted(long[] addresses) {
    for (int i = 1; i < addresses.length; i++) {
      if (Long.compareUnsigned(addresses[i - 1], addresses[i]) > 0) {
        return false;
      }
    }
    return true;
  }
}
