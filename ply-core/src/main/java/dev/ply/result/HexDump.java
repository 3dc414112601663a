package dev.ply.result;

/** Writes bytes that are no text: offset, sixteen bytes in hexadecimal, the same as characters. */
final class HexDump {
  private static final int LINE = 16;
  private static final String DIGITS = "0123456789abcdef";

  private HexDump() {}

  /** Writes {@code bytes}, one per char, each line with a newline; a newline comes first. */
  static void append(StringBuilder out, String bytes) {
    out.append('\n');
    for (int start = 0; start < bytes.length(); start += LINE) {
      line(out, bytes, start, Math.min(bytes.length(), start + LINE));
    }
  }

  /** Tells whether C's {@code isprint} holds for a byte. */
  static boolean isPrintable(char character) {
    return character >= ' ' && character <= '~';
  }

  private static void line(StringBuilder out, String bytes, int start, int end) {
    String offset = Integer.toHexString(start);
    out.append("0".repeat(Math.max(0, 3 - offset.length()))).append(offset);
    out.append(": ");
    for (int i = start; i < end; i++) {
      char character = bytes.charAt(i);
      out.append(i == start + LINE / 2 ? "  " : " ");
      out.append(DIGITS.charAt(character >> 4 & 0xf)).append(DIGITS.charAt(character & 0xf));
    }
    int count = end - start;
    Padding.spaces(out, (LINE - count) * 3 + 3 + (count < LINE / 2 ? 1 : 0));
    for (int i = start; i < end; i++) {
      if (i == start + LINE / 2) {
        out.append(' ');
      }
      out.append(isPrintable(bytes.charAt(i)) ? bytes.charAt(i) : '.');
    }
    out.append('\n');
  }
}
