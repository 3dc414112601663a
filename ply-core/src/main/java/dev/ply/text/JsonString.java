package dev.ply.text;

import dev.ply.type.TextBytes;

/**
 * Writes JSON strings (RFC 8259). A traced string can be any bytes and JSON is UTF-8: a byte that
 * is not valid UTF-8 is written as the four characters {@code \xff}, with its backslash escaped.
 */
public final class JsonString {
  private static final String DIGITS = "0123456789abcdef";

  private JsonString() {}

  /** Writes a string in quotes. */
  public static void append(TextBuffer out, byte[] string) {
    out.append('"');
    appendContent(out, string);
    out.append('"');
  }

  /** Writes a string without quotes. */
  static void appendContent(TextBuffer out, byte[] string) {
    if (isPlain(string)) {
      out.append(string);
    } else {
      appendEscaped(out, TextBytes.decode(string));
    }
  }

  /** Writes a string decoded by {@link TextBytes}, in quotes. */
  public static void append(TextBuffer out, String string) {
    append(out, TextBytes.encode(string));
  }

  private static boolean isPlain(byte[] string) {
    for (byte value : string) {
      if (value < ' ' || value == '"' || value == '\\' || value == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static void appendEscaped(TextBuffer out, String string) {
    for (int i = 0; i < string.length(); ) {
      int character = string.codePointAt(i);
      int chars = Character.charCount(character);
      if (TextBytes.isByte(string, i)) {
        hex(out.append("\\\\x"), character & 0xff, 2);
      } else if (character == '"' || character == '\\') {
        out.append('\\').append((char) character);
      } else if (character == '\n') {
        out.append("\\n");
      } else if (character == '\t') {
        out.append("\\t");
      } else if (character == '\r') {
        out.append("\\r");
      } else if (isControl(character)) {
        hex(out.append("\\u"), character, 4);
      } else {
        out.append(string.substring(i, i + chars));
      }
      i += chars;
    }
  }

  /** Returns whether a terminal would interpret a character. */
  private static boolean isControl(int character) {
    return Character.isISOControl(character)
        || Character.getType(character) == Character.FORMAT
        || Character.getType(character) == Character.LINE_SEPARATOR
        || Character.getType(character) == Character.PARAGRAPH_SEPARATOR
        || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
  }

  private static void hex(TextBuffer out, int value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      out.append(DIGITS.charAt(value >> shift & 0xf));
    }
  }
}
