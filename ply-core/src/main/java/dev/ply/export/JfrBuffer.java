package dev.ply.export;

import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;

/** Values in the encoding of JFR chunks: big-endian in headers, else of seven bits a byte. */
final class JfrBuffer {
  private static final int EMPTY_STRING = 1;
  private static final int UTF8_STRING = 3;

  /** The ninth byte of a number has eight bits. */
  private static final int LONGEST = 9;

  private final TextBuffer bytes = new TextBuffer();

  int length() {
    return bytes.length();
  }

  void clear() {
    bytes.clear();
  }

  void appendTo(TextBuffer out) {
    out.append(bytes);
  }

  JfrBuffer append(JfrBuffer other) {
    other.appendTo(bytes);
    return this;
  }

  /** Writes the bytes of a number, the highest first. */
  JfrBuffer raw(long value, int size) {
    for (int shift = Byte.SIZE * (size - 1); shift >= 0; shift -= Byte.SIZE) {
      bytes.append((byte) (value >>> shift));
    }
    return this;
  }

  JfrBuffer number(long value) {
    long rest = value;
    for (int i = 1; i < LONGEST && (rest & ~0x7fL) != 0; i++) {
      bytes.append((byte) (rest | 0x80));
      rest >>>= 7;
    }
    bytes.append((byte) rest);
    return this;
  }

  JfrBuffer real(double value) {
    return raw(Double.doubleToRawLongBits(value), Long.BYTES);
  }

  /** Writes a string, with control characters and invalid bytes escaped. */
  JfrBuffer text(String value) {
    byte[] utf8 = TextBytes.encode(Escapes.escape(value));
    if (utf8.length == 0) {
      bytes.append((byte) EMPTY_STRING);
    } else {
      bytes.append((byte) UTF8_STRING);
      number(utf8.length);
      bytes.append(utf8);
    }
    return this;
  }

  /** Writes an event: its size, which counts itself, and its content. */
  JfrBuffer event(JfrBuffer content) {
    int size = content.length() + 1;
    while (size - content.length() < lengthOf(size)) {
      size++;
    }
    return number(size).append(content);
  }

  private static int lengthOf(int size) {
    int length = 1;
    for (int rest = size >>> 7; rest != 0; rest >>>= 7) {
      length++;
    }
    return length;
  }
}
