package dev.ply.result;

import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;

/**
 * Prints values in the default formats of their types: for {@code print}, {@code %v} and map dumps.
 * Each output layout has its own.
 */
public interface ValueFormat {
  /** Returns the escaping of {@code %s} and {@code %c} in {@code printf}. */
  Escaping escaping();

  /** Returns this format with unescaped strings, for other programs than terminals. */
  ValueFormat raw();

  /** Writes a value. */
  void append(TextBuffer out, Datum datum);

  /**
   * Writes an integer, extended to 64 bits by its type's signedness; like {@link #append}, without
   * allocating.
   */
  void appendInt(TextBuffer out, long value, IntType type);

  /** Writes a data address; like {@link #append}, without allocating. */
  void appendAddress(TextBuffer out, long address);

  /**
   * Writes a kernel address as symbol, offset and size, in hexadecimal, as {@code %pS} of the
   * kernel does; with {@code 0x} if no symbol contains it.
   */
  void appendSymbol(TextBuffer out, long address);

  /**
   * Writes the character array of {@code size} bytes at {@code start}; like {@link #append},
   * without allocating.
   */
  void appendText(TextBuffer out, ByteBuffer bytes, int start, int size);

  /** Returns a value as a string. */
  default String format(Datum datum) {
    TextBuffer out = new TextBuffer();
    append(out, datum);
    return out.toString();
  }
}
