package dev.ply.kernel.symbol;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Parses {@code /proc/kallsyms}: a line for each symbol with address, type, name and possibly, in
 * brackets, module. Works on bytes, since the file has megabytes.
 */
final class KallsymsParser {
  private static final int SHORTEST_LINE = 20;

  private final byte[] text;
  private long[] addresses;
  private int[] nameOffsets;
  private int symbols;

  private KallsymsParser(byte[] text) {
    this.text = text;
    this.addresses = new long[text.length / SHORTEST_LINE + 1];
    this.nameOffsets = new int[addresses.length];
  }

  /** Parses a table; malformed lines are skipped. */
  static SymbolIndex parse(byte[] text) {
    KallsymsParser parser = new KallsymsParser(text);
    parser.readLines();
    return new SymbolIndex(
        text,
        Arrays.copyOf(parser.addresses, parser.symbols),
        Arrays.copyOf(parser.nameOffsets, parser.symbols));
  }

  /** Returns the address in a line if its symbol is a function. */
  static OptionalLong function(byte[] text, int line) {
    int end = endOfDigits(text, line);
    return end > line && end + 1 < text.length && isFunction(text[end + 1])
        ? OptionalLong.of(address(text, line, end))
        : OptionalLong.empty();
  }

  /** Returns the address in a line. */
  static long address(byte[] text, int line) {
    return address(text, line, endOfDigits(text, line));
  }

  private static int endOfDigits(byte[] text, int start) {
    int end = start;
    while (end < text.length && Character.digit(text[end], 16) >= 0) {
      end++;
    }
    return end;
  }

  private static long address(byte[] text, int start, int end) {
    long address = 0;
    for (int i = start; i < end; i++) {
      address = address << 4 | Character.digit(text[i], 16);
    }
    return address;
  }

  private void readLines() {
    int position = 0;
    while (position < text.length) {
      readLine(position);
      while (position < text.length && text[position] != '\n') {
        position++;
      }
      position++;
    }
  }

  private void readLine(int start) {
    int position = endOfDigits(text, start);
    // A space, the type, a space, and at least one character of the name.
    if (position == start || position + 3 >= text.length || text[position] != ' ') {
      return;
    }
    if (symbols == addresses.length) {
      addresses = Arrays.copyOf(addresses, symbols * 2);
      nameOffsets = Arrays.copyOf(nameOffsets, symbols * 2);
    }
    addresses[symbols] = address(text, start, position);
    int name = position + 3;
    nameOffsets[symbols] = isFunction(text[position + 1]) ? name : SymbolIndex.notFunction(name);
    symbols++;
  }

  private static boolean isFunction(byte kind) {
    return kind == 't' || kind == 'T' || kind == 'w' || kind == 'W';
  }
}
