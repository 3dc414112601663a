package dev.ply.render;

import dev.ply.name.AllocationFlags;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.ValueFormat;
import dev.ply.text.BufferFormat;
import dev.ply.text.Escaping;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.RealFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a value by a conversion of {@code printf}, as C does, or in its default format if the
 * conversion does not fit its type. Width counts the characters written, precision those of the
 * string; with unescaped output both count bytes, as in C.
 */
public final class ConversionWriter {
  private ConversionWriter() {}

  /**
   * Writes {@code arguments} by a format. Without arguments the format is written verbatim,
   * including {@code %%}; excess conversions are written verbatim, excess arguments are dropped. A
   * value that does not fit its conversion is written in its default format.
   *
   * @param out receives the output
   * @param format of {@code printf}
   * @param arguments one for each conversion and each {@code *}
   * @param defaults for values that do not fit their conversion
   */
  public static void append(
      TextBuffer out, PrintfFormat format, List<Datum> arguments, ValueFormat defaults) {
    if (arguments.isEmpty()) {
      out.append(format.toString());
      return;
    }
    int next = 0;
    for (PrintfFormat.Piece piece : format.pieces()) {
      if (piece instanceof PrintfFormat.Literal literal) {
        out.append(literal.text());
      } else if (piece instanceof Conversion conversion) {
        int end = next + conversion.arguments();
        if (end > arguments.size()) {
          out.append(conversion.text());
        } else {
          Conversion complete = complete(conversion, arguments.subList(next, end));
          append(out, complete, arguments.get(end - 1), defaults);
        }
        next = end;
      }
    }
  }

  /** Replaces stars by arguments. */
  private static Conversion complete(Conversion conversion, List<Datum> arguments) {
    Conversion complete = conversion;
    int next = 0;
    if (conversion.width() == Conversion.BY_ARGUMENT) {
      complete = complete.withWidth(number(arguments.get(next++)));
    }
    return conversion.precision() == Conversion.BY_ARGUMENT
        ? complete.withPrecision(number(arguments.get(next)))
        : complete;
  }

  /** In C, widths are ints. */
  private static int number(Datum datum) {
    return datum instanceof Datum.Int integer ? (int) integer.value() : 0;
  }

  /**
   * Writes a value, in its default format if the conversion does not fit its type.
   *
   * @param out receives the value
   * @param conversion of a format
   * @param datum of any kind
   * @param defaults for values that do not fit the conversion
   */
  static void append(TextBuffer out, Conversion conversion, Datum datum, ValueFormat defaults) {
    if (datum instanceof Datum.Int integer) {
      append(out, conversion, integer.value(), integer.type(), defaults);
    } else if (datum instanceof Datum.Real real && conversion.kind() == Conversion.Kind.FRACTION) {
      int start = out.length();
      RealFormat.append(out, conversion, real.value());
      alignReal(out, conversion, start, Double.isFinite(real.value()));
    } else if (datum instanceof Datum.Address address) {
      appendAddress(out, conversion, address.value(), defaults);
    } else if (datum instanceof Datum.Text text) {
      byte[] bytes = text.bytes().getBytes(StandardCharsets.ISO_8859_1);
      append(out, conversion, ByteBuffer.wrap(bytes), 0, bytes.length, text.mark(), defaults);
    } else if (datum instanceof Datum.Stack stack && conversion.kind() == Conversion.Kind.INTEGER) {
      append(out, conversion, Integer.toUnsignedLong(stack.id()), IntType.U32, defaults);
    } else if (datum instanceof Datum.MissingStack stack
        && conversion.kind() == Conversion.Kind.INTEGER) {
      append(out, conversion, Integer.toUnsignedLong(stack.id()), IntType.U32, defaults);
    } else if (datum instanceof Datum.Bytes buffer && conversion.kind() == Conversion.Kind.BUFFER) {
      int start = out.length();
      format(conversion).append(out, buffer.bytes());
      pad(out, conversion, start, false);
    } else {
      int start = out.length();
      defaults.append(out, datum);
      pad(out, conversion, start, false);
    }
  }

  /** Writes an integer, extended to 64 bits by its type's signedness, without allocating. */
  static void append(
      TextBuffer out, Conversion conversion, long value, IntType type, ValueFormat defaults) {
    int start = out.length();
    switch (conversion.kind()) {
      case INTEGER -> appendInt(out, conversion, value, type, defaults);
      case POINTER -> appendPointer(out, conversion, DatumFormat.bits(value, type));
      case SYMBOL -> defaults.appendSymbol(out, DatumFormat.bits(value, type));
      case FLAGS -> AllocationFlags.append(out, DatumFormat.bits(value, type));
      case TEXT, DEFAULT, FRACTION, BUFFER -> defaults.appendInt(out, value, type);
    }
    pad(out, conversion, start, defaults.escaping() == Escaping.NONE);
  }

  /** Writes a data address, without allocating. */
  static void appendAddress(
      TextBuffer out, Conversion conversion, long address, ValueFormat defaults) {
    int start = out.length();
    switch (conversion.kind()) {
      case INTEGER -> appendInt(out, conversion, address, IntType.U64, defaults);
      case POINTER -> appendPointer(out, conversion, address);
      case SYMBOL -> defaults.appendSymbol(out, address);
      case FLAGS -> AllocationFlags.append(out, address);
      case TEXT, DEFAULT, FRACTION, BUFFER -> defaults.appendAddress(out, address);
    }
    pad(out, conversion, start, false);
  }

  /** Writes the character array of {@code size} bytes from an index on, without allocating. */
  static void append(
      TextBuffer out,
      Conversion conversion,
      ByteBuffer bytes,
      int from,
      int size,
      String mark,
      ValueFormat defaults) {
    int start = out.length();
    boolean isRaw =
        defaults.escaping() == Escaping.NONE && conversion.kind() == Conversion.Kind.TEXT;
    if (conversion.kind() != Conversion.Kind.TEXT) {
      defaults.appendText(out, bytes, from, size);
      out.append(mark);
    } else {
      int length = DatumFormat.textLength(bytes, from, size);
      int limit = conversion.precision() < 0 ? length : conversion.precision();
      int shown = isRaw ? Math.min(limit, length) : prefixLength(bytes, from, length, limit);
      defaults.escaping().append(out, bytes, from, shown);
      out.append(shown == length ? mark : "");
    }
    pad(out, conversion, start, isRaw);
  }

  private static BufferFormat format(Conversion conversion) {
    return switch (conversion.specifier()) {
      case "rx" -> BufferFormat.ESCAPED;
      case "rh" -> BufferFormat.HEX;
      default -> BufferFormat.TEXT;
    };
  }

  /** Returns the length in bytes of the first {@code limit} characters. */
  private static int prefixLength(ByteBuffer bytes, int from, int length, int limit) {
    if (limit >= length) {
      return length;
    }
    int end = from;
    for (int i = 0; i < limit && end < from + length; i++) {
      end = Escapes.characterEnd(bytes, end, from + length);
    }
    return end - from;
  }

  /** A conversion that does not fit the value has no width either. */
  private static void pad(TextBuffer out, Conversion conversion, int start, boolean isRaw) {
    if (conversion.kind() == Conversion.Kind.DEFAULT
        || conversion.kind() == Conversion.Kind.FRACTION) {
      return;
    }
    int missing = conversion.width() - (isRaw ? out.length() - start : out.characters(start));
    if (conversion.has('-')) {
      out.fill(' ', missing);
    } else {
      out.insert(start, ' ', missing);
    }
  }

  private static void alignReal(
      TextBuffer out, Conversion conversion, int start, boolean isFinite) {
    int missing = conversion.width() - (out.length() - start);
    if (conversion.has('-')) {
      out.fill(' ', missing);
    } else if (conversion.has('0') && isFinite) {
      boolean isSigned = out.length() > start && "+- ".indexOf(out.at(start)) >= 0;
      out.insert(start + (isSigned ? 1 : 0), '0', missing);
    } else {
      out.insert(start, ' ', missing);
    }
  }

  private static void appendPointer(TextBuffer out, Conversion conversion, long value) {
    if (value == 0) {
      out.append("(nil)");
      return;
    }
    int start = out.length();
    out.append("0x").appendHex(value);
    zeros(out, conversion, start, start + 2);
  }

  private static void appendInt(
      TextBuffer out, Conversion conversion, long value, IntType type, ValueFormat defaults) {
    if (conversion.letter() == 'c') {
      defaults.escaping().append(out, (byte) value);
    } else if (defaults.hasIntegersOfC()) {
      appendIntOfC(out, conversion, value);
    } else if (conversion.isSigned()) {
      appendDecimal(out, conversion, value, type.isSigned());
    } else {
      appendBits(out, conversion, DatumFormat.bits(value, type));
    }
  }

  /** The conversion has the size and the sign, not the value. */
  private static void appendIntOfC(TextBuffer out, Conversion conversion, long value) {
    boolean isInt = conversion.length().isEmpty();
    if (conversion.isSigned()) {
      appendDecimal(out, conversion, isInt ? (int) value : value, true);
    } else {
      appendBits(out, conversion, isInt ? Integer.toUnsignedLong((int) value) : value);
    }
  }

  private static void appendDecimal(
      TextBuffer out, Conversion conversion, long original, boolean signed) {
    boolean narrowed = conversion.length().startsWith("h");
    long value =
        switch (conversion.length()) {
          case "hh" -> (byte) original;
          case "h" -> (short) original;
          default -> original;
        };
    boolean negative = value < 0 && (narrowed || signed);
    int start = out.length();
    if (negative) {
      out.append('-');
    } else if (conversion.has('+')) {
      out.append('+');
    } else if (conversion.has(' ')) {
      out.append(' ');
    }
    int digits = out.length();
    if (value != 0 || conversion.precision() != 0) {
      // The smallest number is its own negative; its bits as unsigned are its magnitude.
      out.appendUnsigned(negative ? -value : value);
    }
    zeros(out, conversion, start, digits);
  }

  private static void appendBits(TextBuffer out, Conversion conversion, long bits) {
    long value =
        switch (conversion.length()) {
          case "hh" -> bits & 0xff;
          case "h" -> bits & 0xffff;
          default -> bits;
        };
    int start = out.length();
    char letter = conversion.letter();
    if (value != 0 && conversion.has('#') && (letter == 'x' || letter == 'X')) {
      out.append('0').append(letter);
    }
    int digits = out.length();
    if (value != 0 || conversion.precision() != 0) {
      switch (letter) {
        case 'o' -> out.appendBits(value, 3);
        case 'x' -> out.appendHex(value);
        case 'X' -> out.appendHex(value).toUpperCase(digits);
        default -> out.appendUnsigned(value);
      }
    }
    zeros(out, conversion, start, digits);
    boolean zeroFirst = out.length() > digits && out.at(digits) == '0';
    if (letter == 'o' && conversion.has('#') && !zeroFirst) {
      out.insert(digits, '0', 1);
    }
  }

  /**
   * Inserts zeros before the digits: up to the precision, or up to the width with the flag {@code
   * 0}.
   */
  private static void zeros(TextBuffer out, Conversion conversion, int start, int digits) {
    if (conversion.precision() >= 0) {
      out.insert(digits, '0', conversion.precision() - (out.length() - digits));
    } else if (conversion.has('0') && !conversion.has('-')) {
      out.insert(digits, '0', conversion.width() - (out.length() - start));
    }
  }
}
