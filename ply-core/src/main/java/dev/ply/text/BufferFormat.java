package dev.ply.text;

import java.nio.charset.StandardCharsets;

/** Formats buffers: with escapes, or all in hexadecimal. */
public enum BufferFormat {
  /** Printable ASCII as it is, other bytes as {@code \\x00}: {@code %r}. */
  TEXT,
  /** Each byte as {@code \\x41}: {@code %rx}. */
  ESCAPED,
  /** Hexadecimal, separated by spaces: {@code %rh}. */
  HEX;

  private static final String DIGITS = "0123456789abcdef";

  /**
   * Writes a buffer.
   *
   * @param bytes one char each (ISO 8859-1)
   */
  public void append(TextBuffer out, String bytes) {
    int start = out.length();
    for (byte value : bytes.getBytes(StandardCharsets.ISO_8859_1)) {
      if (this == TEXT && value >= ' ' && value <= '~') {
        out.append(value);
      } else {
        out.append(this == HEX ? (out.length() > start ? " " : "") : "\\x");
        out.append(DIGITS.charAt(value >> 4 & 0xf)).append(DIGITS.charAt(value & 0xf));
      }
    }
  }
}
