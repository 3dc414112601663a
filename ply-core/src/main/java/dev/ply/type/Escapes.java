package dev.ply.type;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Escapes control characters in output: the one place that decides which bytes are escaped.
 *
 * <p>Escaped are C0 and C1 controls, DEL, Unicode's line and paragraph separators and bidirectional
 * controls, and bytes that are not valid UTF-8. Everything else is printed unchanged, including a
 * backslash, so that ASCII is printed as ply 2.4 prints it. Each byte is escaped separately, as
 * {@code \n}, {@code \t}, {@code \r} or {@code \x1b}, which are also escapes of the language. The
 * result is UTF-8 on a single line.
 */
public final class Escapes {
  private static final String DIGITS = "0123456789abcdef";

  private Escapes() {}

  /**
   * {@return the index of the first byte to escape from {@code start} on; {@code end} if not found}
   *
   * @param text its position is not used
   * @param start the index of the first byte
   * @param end the index after the last byte
   */
  public static int plainEnd(ByteBuffer text, int start, int end) {
    int at = start;
    while (at < end) {
      byte first = text.get(at);
      if (first >= ' ' && first != 0x7f) {
        at++;
        continue;
      }
      int character = first < 0 ? character(text, at, end) : first;
      if (character < 0 || isEscaped(character)) {
        return at;
      }
      at += length(character);
    }
    return end;
  }

  /**
   * {@return the index after the character at {@code at}; a byte that is not valid UTF-8 counts as
   * one}
   *
   * @param text its position is not used
   * @param at the index of the character's first byte
   * @param end the index after the last byte
   */
  public static int characterEnd(ByteBuffer text, int at, int end) {
    int character = character(text, at, end);
    return character < 0 ? at + 1 : at + length(character);
  }

  /**
   * {@return {@code text}, decoded by {@link TextBytes}, with escapes}
   *
   * @param text of any characters
   */
  public static String escape(String text) {
    return isPlain(text) ? text : escape(text, false);
  }

  /**
   * {@return {@code text} with escapes; newlines and tabs are kept}
   *
   * @param text of any characters
   */
  public static String escapeLines(String text) {
    return isPlain(text) ? text : escape(text, true);
  }

  /** {@return the letter of a byte's short escape, 0 if it has none} */
  public static char letter(byte value) {
    return switch (value) {
      case '\n' -> 'n';
      case '\t' -> 't';
      case '\r' -> 'r';
      default -> 0;
    };
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < ' ' || character >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static String escape(String text, boolean lines) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      int chars = Character.charCount(character);
      if ((lines && (character == '\n' || character == '\t')) || !isEscaped(character)) {
        out.appendCodePoint(character);
      } else if (TextBytes.isByte(text, i)) {
        escape(out, (byte) character);
      } else {
        for (byte value : text.substring(i, i + chars).getBytes(StandardCharsets.UTF_8)) {
          escape(out, value);
        }
      }
      i += chars;
    }
    return out.toString();
  }

  private static void escape(StringBuilder out, byte value) {
    char letter = letter(value);
    out.append('\\');
    if (letter != 0) {
      out.append(letter);
    } else {
      out.append('x').append(DIGITS.charAt(value >> 4 & 0xf)).append(DIGITS.charAt(value & 0xf));
    }
  }

  private static boolean isEscaped(int character) {
    if (character < 0xa0) {
      return character < ' ' || character >= 0x7f;
    }
    return switch (character) {
      case 0x61c, 0x200e, 0x200f -> true;
      default ->
          (character >= 0x2028 && character <= 0x202e)
              || (character >= 0x2066 && character <= 0x2069)
              || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
    };
  }

  /** Returns the length of a character's UTF-8 encoding in bytes. */
  private static int length(int character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }

  /** Returns the UTF-8 character at {@code at}, -1 if it is invalid. */
  private static int character(ByteBuffer text, int at, int end) {
    int first = text.get(at);
    if (first >= 0) {
      return first;
    }
    int more = first < -32 ? 1 : first < -16 ? 2 : 3;
    if (first < -64 || first >= -8 || at + more >= end) {
      return -1;
    }
    int character = first & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
      byte next = text.get(at + i);
      if (next >= -64) {
        return -1;
      }
      character = character << 6 | (next & 0x3f);
    }
    boolean isSurrogate =
        character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    // Overlong encodings are invalid.
    return length(character) == more + 1 && !isSurrogate && character <= Character.MAX_CODE_POINT
        ? character
        : -1;
  }
}
