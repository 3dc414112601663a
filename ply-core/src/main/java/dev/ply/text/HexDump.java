package dev.ply.text;

import java.nio.ByteBuffer;

/** Formats binary data: offset, sixteen bytes in hexadecimal, the same bytes as characters. */
public final class HexDump {
  private static final int LINE = 16;
  private static final String DIGITS = "0123456789abcdef";

  private HexDump() {}

  /** Writes a newline, then {@code count} bytes from {@code first} on in lines. */
  public static void append(TextBuffer out, ByteBuffer bytes, int first, int count) {
    out.append('\n');
    for (int start = 0; start < count; start += LINE) {
      line(out, bytes, first, start, Math.min(count, start + LINE));
    }
  }

  /** Returns whether a byte is printable ASCII, as C's {@code isprint}. */
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
