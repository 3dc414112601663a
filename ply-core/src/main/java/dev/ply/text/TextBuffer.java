package dev.ply.text;

import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A buffer of output bytes: UTF-8, with arbitrary bytes of traced strings. Reusing it allocates
 * nothing, so millions of events per second create no garbage. Not thread-safe.
 */
public final class TextBuffer {
  private static final int USUAL = 256;
  private static final int LONGEST_NUMBER = 20;
  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** The number of bytes from which a row is followed by writing. */
  private static final int SPILLED = 1 << 15;

  private final Optional<OutputStream> stream;
  private byte[] bytes = new byte[USUAL];
  private int length;

  /** Creates an empty buffer, which grows as needed. */
  public TextBuffer() {
    this.stream = Optional.empty();
  }

  /**
   * Creates an empty buffer that writes its content to a stream between the rows of maps, which can
   * be more than memory holds, and empties itself. What is left is to be {@linkplain #writeTo
   * written} at the end.
   *
   * @param stream receives the content, and is not flushed
   */
  public TextBuffer(OutputStream stream) {
    this.stream = Optional.of(stream);
  }

  /**
   * Writes all content, if it is long and the buffer has a stream. Only where no caller has a
   * position in this buffer.
   *
   * @throws UncheckedIOException if the stream fails
   */
  public void spill() {
    if (length < SPILLED || stream.isEmpty()) {
      return;
    }
    try {
      writeTo(stream.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    clear();
  }

  /** {@return the number of bytes} */
  public int length() {
    return length;
  }

  /** Removes all content. */
  public void clear() {
    length = 0;
  }

  /**
   * Appends a string, encoded by {@link TextBytes}.
   *
   * @param text of any characters
   */
  public TextBuffer append(String text) {
    int end = text.length();
    reserve(end);
    for (int i = 0; i < end; i++) {
      char character = text.charAt(i);
      if (character >= 0x80) {
        return append(TextBytes.encode(text.substring(i)));
      }
      bytes[length++] = (byte) character;
    }
    return this;
  }

  /**
   * Appends bytes.
   *
   * @param text of any bytes
   */
  public TextBuffer append(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
    return this;
  }

  /**
   * Appends the content of another buffer.
   *
   * @param other keeps its content
   */
  public TextBuffer append(TextBuffer other) {
    reserve(other.length);
    System.arraycopy(other.bytes, 0, bytes, length, other.length);
    length += other.length;
    return this;
  }

  /**
   * Appends {@code count} bytes of {@code text} from {@code start} on.
   *
   * @param text its position is not used
   * @param start the index of the first byte
   * @param count the number of bytes
   */
  public TextBuffer append(ByteBuffer text, int start, int count) {
    reserve(count);
    text.get(start, bytes, length, count);
    length += count;
    return this;
  }

  /**
   * Appends {@code count} bytes of {@code text} from {@code start} on, escaped by {@link Escapes}.
   *
   * @param text its position is not used
   * @param start the index of the first byte
   * @param count the number of bytes
   */
  public TextBuffer appendEscaped(ByteBuffer text, int start, int count) {
    int end = start + count;
    int at = start;
    while (at < end) {
      int plain = Escapes.plainEnd(text, at, end);
      append(text, at, plain - at);
      at = plain;
      if (at < end) {
        appendEscape(text.get(at++));
      }
    }
    return this;
  }

  /**
   * Appends a string, escaped by {@link Escapes}.
   *
   * @param text of any characters
   */
  public TextBuffer appendEscaped(String text) {
    return append(Escapes.escape(text));
  }

  /**
   * Appends a byte, escaped unless printable ASCII.
   *
   * @param value of a string whose encoding is unknown
   */
  public TextBuffer appendEscaped(byte value) {
    return value >= ' ' && value != 0x7f ? append(value) : appendEscape(value);
  }

  private TextBuffer appendEscape(byte value) {
    char letter = Escapes.letter(value);
    append((byte) '\\');
    return letter != 0
        ? append((byte) letter)
        : append((byte) 'x').append(DIGITS[value >> 4 & 0xf]).append(DIGITS[value & 0xf]);
  }

  /**
   * Appends a character.
   *
   * @param character encoded as UTF-8; lone surrogates by {@link TextBytes}
   */
  public TextBuffer append(char character) {
    return character < 0x80 ? append((byte) character) : append(String.valueOf(character));
  }

  /**
   * Appends a byte.
   *
   * @param value appended as it is
   */
  public TextBuffer append(byte value) {
    reserve(1);
    bytes[length++] = value;
    return this;
  }

  /**
   * Appends a number in decimal.
   *
   * @param number with a sign if negative
   */
  public TextBuffer append(long number) {
    if (number >= 0) {
      return appendUnsigned(number);
    }
    append('-');
    // The smallest number is its own negative; its bits as unsigned are its magnitude.
    return appendUnsigned(-number);
  }

  /**
   * Appends an unsigned number in decimal.
   *
   * @param number its 64 bits are unsigned
   */
  public TextBuffer appendUnsigned(long number) {
    reserve(LONGEST_NUMBER);
    long rest = number;
    int end = length + decimalDigits(number);
    length = end;
    if (rest < 0) {
      long upper = Long.divideUnsigned(rest, 10);
      bytes[--end] = (byte) ('0' + (rest - upper * 10));
      rest = upper;
    }
    while (rest > Integer.MAX_VALUE) {
      long upper = rest / 10;
      bytes[--end] = (byte) ('0' + (rest - upper * 10));
      rest = upper;
    }
    int small = (int) rest;
    do {
      int upper = small / 10;
      bytes[--end] = (byte) ('0' + (small - upper * 10));
      small = upper;
    } while (small > 0);
    return this;
  }

  /**
   * Appends a number's bits as digits of {@code bitsPerDigit} bits, 1 to 4.
   *
   * @param number its 64 bits are unsigned
   * @param bitsPerDigit 1 for binary, 3 for octal, 4 for hexadecimal digits
   */
  public TextBuffer appendBits(long number, int bitsPerDigit) {
    int digits = bitDigits(number, bitsPerDigit);
    reserve(digits);
    long rest = number;
    length += digits;
    for (int end = length - 1; digits > 0; digits--, end--) {
      bytes[end] = DIGITS[(int) rest & ((1 << bitsPerDigit) - 1)];
      rest >>>= bitsPerDigit;
    }
    return this;
  }

  /**
   * Appends a number's bits in lower-case hexadecimal.
   *
   * @param number its 64 bits are unsigned
   */
  public TextBuffer appendHex(long number) {
    return appendBits(number, 4);
  }

  /**
   * Appends {@code count} copies of a byte, none if negative.
   *
   * @param ascii the character
   * @param count the number of copies
   */
  public TextBuffer fill(char ascii, int count) {
    if (count > 0) {
      reserve(count);
      Arrays.fill(bytes, length, length + count, (byte) ascii);
      length += count;
    }
    return this;
  }

  /**
   * Inserts {@code count} copies of a byte at {@code position}.
   *
   * @param position from 0 to the size
   * @param ascii the character
   * @param count the number of copies
   */
  public TextBuffer insert(int position, char ascii, int count) {
    if (count > 0) {
      reserve(count);
      System.arraycopy(bytes, position, bytes, position + count, length - position);
      Arrays.fill(bytes, position, position + count, (byte) ascii);
      length += count;
    }
    return this;
  }

  /**
   * Converts lower-case letters from {@code position} on to upper case.
   *
   * @param position the index of the first byte to convert
   */
  public TextBuffer toUpperCase(int position) {
    for (int i = position; i < length; i++) {
      if (bytes[i] >= 'a' && bytes[i] <= 'z') {
        bytes[i] = (byte) (bytes[i] - ('a' - 'A'));
      }
    }
    return this;
  }

  /**
   * {@return the byte at {@code position}}
   *
   * @param position from 0 to before the size
   */
  public byte at(int position) {
    return bytes[position];
  }

  /** {@return the number of characters from {@code position} on, if valid UTF-8} */
  public int characters(int position) {
    int count = 0;
    for (int i = position; i < length; i++) {
      // The continuation bytes of UTF-8 are 0x80 to 0xbf.
      count += bytes[i] >= -64 ? 1 : 0;
    }
    return count;
  }

  /** Removes and returns the bytes from {@code position} on. */
  public byte[] cut(int position) {
    byte[] rest = Arrays.copyOfRange(bytes, position, length);
    length = position;
    return rest;
  }

  /**
   * Writes all bytes in one call.
   *
   * @param out receives the bytes, and is not flushed
   * @throws IOException if {@code out} fails
   */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  /** {@return the content as a string} */
  @Override
  public String toString() {
    return TextBytes.decode(Arrays.copyOf(bytes, length));
  }

  /** {@return the number of decimal digits of an unsigned number} */
  public static int decimalDigits(long number) {
    if (number < 0) {
      return Long.compareUnsigned(number, -8_446_744_073_709_551_616L) >= 0 ? 20 : 19;
    }
    int digits = 1;
    for (long limit = 10; digits < 19 && number >= limit; limit *= 10) {
      digits++;
    }
    return digits;
  }

  private static int bitDigits(long number, int bitsPerDigit) {
    int bits = Math.max(1, 64 - Long.numberOfLeadingZeros(number));
    return (bits + bitsPerDigit - 1) / bitsPerDigit;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
