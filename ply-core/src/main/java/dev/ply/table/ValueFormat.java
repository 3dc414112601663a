package dev.ply.table;

import dev.ply.text.Escaping;
import dev.ply.text.TextBuffer;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;

/**
 * Prints values in the default formats of their types: for {@code print}, {@code %v} and map dumps.
 * Each output layout has its own.
 */
public interface ValueFormat {
  /** {@return the escaping of {@code %s} and {@code %c} in {@code printf}} */
  Escaping escaping();

  /** {@return this format with unescaped strings, for other programs than terminals} */
  ValueFormat raw();

  /** {@return whether conversions without a length modifier show an int, 32 bits, as C's do} */
  default boolean hasIntegersOfC() {
    return false;
  }

  /**
   * Writes a value.
   *
   * @param out receives the value
   * @param datum of any kind
   */
  void append(TextBuffer out, Datum datum);

  /**
   * Writes an integer, extended to 64 bits by its type's signedness; like {@link #append}, without
   * allocating.
   *
   * @param out receives the number
   * @param value extended to 64 bits
   * @param type decides about sign, base and names
   */
  void appendInt(TextBuffer out, long value, IntType type);

  /**
   * Writes a data address; like {@link #append}, without allocating.
   *
   * @param out receives the address
   * @param address of the kernel or a process
   */
  void appendAddress(TextBuffer out, long address);

  /**
   * Writes a kernel address as symbol, offset and size, in hexadecimal, as {@code %pS} of the
   * kernel does; with {@code 0x} if no symbol contains it.
   *
   * @param out receives the symbol
   * @param address in the kernel's code
   */
  void appendSymbol(TextBuffer out, long address);

  /**
   * Writes the character array of {@code size} bytes at {@code start}; like {@link #append},
   * without allocating.
   *
   * @param out receives the string
   * @param bytes their position is not used
   * @param start the index of the first byte
   * @param size including the NUL
   */
  void appendText(TextBuffer out, ByteBuffer bytes, int start, int size);

  /**
   * {@return a value as a string}
   *
   * @param datum of any kind
   */
  default String format(Datum datum) {
    TextBuffer out = new TextBuffer();
    append(out, datum);
    return out.toString();
  }
}
