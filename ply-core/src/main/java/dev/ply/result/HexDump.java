package dev.ply.result;

import java.nio.ByteBuffer;

/** Writes bytes that are no text: offset, sixteen bytes in hexadecimal, the same as characters. */
final class HexDump {
  private static final int LINE = 16;
  private static final String DIGITS = "0123456789abcdef";

  private HexDump() {}

  /**
   * Writes {@code count} bytes from {@code first} on, each line with a newline; a newline comes
   * first.
   */
  static void append(TextBuffer out, ByteBuffer bytes, int first, int count) {
    out.append('\n');
    for (int start = 0; start < count; start += LINE) {
      line(out, bytes, first, start, Math.min(count, start + LINE));
    }
  }

  /** Tells whether C's {@code isprint} holds for a byte. */
  private static boolean isPrintable(byte character) {
    return character >= ' ' && character <= '~';
  }

  private static void line(TextBuffer out, ByteBuffer bytes, int first, int start, int end) {
    int offset = out.length();
    out.appendHex(start);
    out.insert(offset, '0', 3 - (out.length() - offset));
    out.append(": ");
    for (int i = start; i < end; i++) {
      byte character = bytes.get(first + i);
      out.append(i == start + LINE / 2 ? "  " : " ");
      out.append(DIGITS.charAt(character >> 4 & 0xf)).append(DIGITS.charAt(character & 0xf));
    }
    int count = end - start;
    Padding.spaces(out, (LINE - count) * 3 + 3 + (count < LINE / 2 ? 1 : 0));
    for (int i = start; i < end; i++) {
      if (i == start + LINE / 2) {
        out.append(' ');
      }
      byte character = bytes.get(first + i);
      out.append(isPrintable(character) ? character : (byte) '.');
    }
    out.append('\n');
  }
}
