package dev.ply.type;

import java.nio.charset.StandardCharsets;

/**
 * Texts are bytes, mostly UTF-8 ones. As a string, a byte that is part of no UTF-8 character stands
 * as a lone surrogate, U+DC80 to U+DCFF, so that nothing is lost: encoding what was decoded gives
 * the same bytes.
 */
public final class TextBytes {
  private static final int ESCAPE = 0xdc00;

  private TextBytes() {}

  /** Returns the bytes of a text; what has no bytes, other lone surrogates, is a question mark. */
  public static byte[] encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!hasEscape(text)) {
      return bytes;
    }
    // A lone surrogate became one byte, a question mark: put right what that should have been.
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

  /** Returns the text of bytes. */
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

  /** Returns the text of one byte. */
  public static char ofByte(byte value) {
    return value >= 0 ? (char) value : (char) (ESCAPE | (value & 0xff));
  }

  /** Returns whether a text's char {@code index} is a byte that is part of no UTF-8 character. */
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

  /** Returns how many bytes the UTF-8 character at {@code start} has, 0 if there is none. */
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
