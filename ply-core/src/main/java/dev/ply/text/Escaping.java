package dev.ply.text;

import java.nio.ByteBuffer;

/** Which bytes of traced strings are escaped in output. */
public enum Escaping {
  /** All bytes that {@link dev.ply.type.Escapes} escapes: a string stays on one line. */
  ALL,
  /** All but newlines and tabs. */
  ALL_BUT_LINES,
  /** Those that JSON strings escape (RFC 8259). */
  JSON,
  /** None: for files and pipes, not for terminals. */
  NONE;

  /** Writes {@code count} bytes from {@code start} on. */
  public void append(TextBuffer out, ByteBuffer bytes, int start, int count) {
    switch (this) {
      case ALL -> out.appendEscaped(bytes, start, count);
      case JSON -> JsonString.appendContent(out, copy(bytes, start, count));
      case ALL_BUT_LINES -> appendLines(out, bytes, start, start + count);
      case NONE -> out.append(bytes, start, count);
    }
  }

  private static byte[] copy(ByteBuffer bytes, int start, int count) {
    byte[] copy = new byte[count];
    bytes.get(start, copy);
    return copy;
  }

  /** Writes a byte; a non-ASCII one is escaped. */
  public void append(TextBuffer out, byte value) {
    if (this == JSON) {
      JsonString.appendContent(out, new byte[] {value});
    } else if (this == NONE || (this == ALL_BUT_LINES && isLayout(value))) {
      out.append(value);
    } else {
      out.appendEscaped(value);
    }
  }

  private static void appendLines(TextBuffer out, ByteBuffer bytes, int start, int end) {
    int from = start;
    for (int at = start; at < end; at++) {
      if (isLayout(bytes.get(at))) {
        out.appendEscaped(bytes, from, at - from);
        out.append(bytes.get(at));
        from = at + 1;
      }
    }
    out.appendEscaped(bytes, from, end - from);
  }

  private static boolean isLayout(byte value) {
    return value == '\n' || value == '\t';
  }
}
