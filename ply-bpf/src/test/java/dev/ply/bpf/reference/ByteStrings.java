package dev.ply.bpf.reference;

import dev.ply.type.TextBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Strings as their bytes, a char each. */
final class ByteStrings {
  private ByteStrings() {}

  /** Returns the bytes of a Java string. */
  static String encode(String text) {
    return new String(TextBytes.encode(text), StandardCharsets.ISO_8859_1);
  }

  static String beforeNul(String bytes) {
    int end = bytes.indexOf('\0');
    return end < 0 ? bytes : bytes.substring(0, end);
  }

  static String padded(String bytes, int size) {
    return bytes + "\0".repeat(size - bytes.length());
  }

  static String cut(String bytes, int length) {
    return bytes.substring(0, Math.min(length, bytes.length()));
  }

  /** Returns a byte of a string or of its NUL; -1 after it. */
  static int byteOf(String text, long offset) {
    byte[] bytes = TextBytes.encode(text);
    return offset < bytes.length ? bytes[(int) offset] & 0xff : offset == bytes.length ? 0 : -1;
  }

  /** Compares the bytes up to the first NUL of each. */
  static int compare(String left, String right) {
    byte[] a = beforeNul(left).getBytes(StandardCharsets.ISO_8859_1);
    byte[] b = beforeNul(right).getBytes(StandardCharsets.ISO_8859_1);
    return Arrays.compareUnsigned(a, b);
  }
}
