package dev.ply.result;

import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;

/**
 * Writes values in the default format of their type: what {@code print}, {@code %v} and map dumps
 * show. Each output layout has its own.
 */
public interface ValueFormat {
  /** Returns which bytes of strings {@code %s} and {@code %c} of {@code printf} escape. */
  Escaping escaping();

  /** Writes a value. */
  void append(TextBuffer out, Datum datum);

  /**
   * Writes an integer, extended to 64 bits by its type's signedness, as {@link #append} does but
   * without an object for it.
   */
  void appendInt(TextBuffer out, long value, IntType type);

  /** Writes an address of data, as {@link #append} does but without an object for it. */
  void appendAddress(TextBuffer out, long address);

  /**
   * Writes the character array of {@code size} bytes from {@code start} on, as {@link #append} does
   * but without an object for it.
   */
  void appendText(TextBuffer out, ByteBuffer bytes, int start, int size);

  /** Returns a value as a string. */
  default String format(Datum datum) {
    TextBuffer out = new TextBuffer();
    append(out, datum);
    return out.toString();
  }
}
