package dev.ply.type;

import java.nio.charset.StandardCharsets;

/**
 * Strings are byte arrays, usually UTF-8. In Java, a byte that is not valid UTF-8 becomes a lone
 * surrogate, U+DC80 to U+DCFF, so decoding loses nothing: encoding returns the same bytes.
 */
public final class TextBytes {
  private static final int ESCAPE = 0xdc00;

  private TextBytes() {}

  /**
   * {@return the bytes of a string; other lone surrogates become question marks}
   *
   * @param text of any characters
   */
  public static byte[] encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!hasEscape(text)) {
      return bytes;
    }
    // The encoder replaced each lone surrogate by a question mark: restore the bytes.
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (isPair(text, i)) {
        at += 4;
        i++;
      } else if (Character.isSurrogate(character)) {
        bytes[at++] = isEscape(character) ? (byte) character : (byte) '?';
      } else {
        at += character < 0x80 ? 1 : character < 0x800 ? 2 : 3;
      }
    }
    return bytes;
  }

  /**
   * {@return the string of these bytes}
   *
   * @param bytes of any encoding
   */
  public static String decode(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf('\ufffd') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < bytes.length; ) {
      int length = characterLength(bytes, i);
      if (length == 0) {
        out.append(ofByte(bytes[i++]));
      } else {
        out.append(new String(bytes, i, length, StandardCharsets.UTF_8));
        i += length;
      }
    }
    return out.toString();
  }

  /**
   * {@return the char of a single byte}
   *
   * @param value that is not valid UTF-8 at its position
   */
  public static char ofByte(byte value) {
    return value >= 0 ? (char) value : (char) (ESCAPE | (value & 0xff));
  }

  /**
   * {@return whether the char at {@code index} is a byte that is not valid UTF-8}
   *
   * @param text decoded by this class
   * @param index of the char
   */
  public static boolean isByte(String text, int index) {
    return isEscape(text.charAt(index))
        && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }

  private static boolean isEscape(char character) {
    return character >= (ESCAPE | 0x80) && character <= (ESCAPE | 0xff);
  }

  private static boolean hasEscape(String text) {
    return text.chars().anyMatch(character -> isEscape((char) character));
  }

  private static boolean isPair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }

  /** Returns the length of the UTF-8 character at {@code start} in bytes, 0 if it is invalid. */
  private static int characterLength(byte[] bytes, int start) {
    for (int length = 1; length <= 4 && start + length <= bytes.length; length++) {
      String one = new String(bytes, start, length, StandardCharsets.UTF_8);
      boolean isReplacement = one.indexOf('\ufffd') >= 0;
      boolean isWritten =
          length == 3
              && (bytes[start] & 0xff) == 0xef
              && (bytes[start + 1] & 0xff) == 0xbf
              && (bytes[start + 2] & 0xff) == 0xbd;
      if ((!isReplacement && one.codePointCount(0, one.length()) == 1) || isWritten) {
        return length;
      }
    }
    return 0;
  }
}
