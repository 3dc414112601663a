package dev.ply.result;

import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.util.Arrays;
import java.util.Locale;

/** Writes a value as a conversion of {@code printf} says, by the rules of C's function. */
final class ConversionWriter {
  private ConversionWriter() {}

  /** Writes {@code datum}, in its default format if the conversion is for something else. */
  static void append(StringBuilder out, Conversion conversion, Datum datum, DatumFormat defaults) {
    int start = out.length();
    switch (conversion.kind()) {
      case INTEGER -> {
        if (datum instanceof Datum.Int integer) {
          appendInt(out, conversion, integer.value(), integer.type());
        } else if (datum instanceof Datum.Address address) {
          appendInt(out, conversion, address.value(), IntType.U64);
        } else if (datum instanceof Datum.Stack stack) {
          appendInt(out, conversion, Integer.toUnsignedLong(stack.id()), IntType.U32);
        } else {
          defaults.append(out, datum);
        }
      }
      case TEXT -> {
        if (datum instanceof Datum.Text text) {
          appendText(out, conversion, text.text());
        } else {
          defaults.append(out, datum);
        }
      }
      case POINTER -> {
        if (datum instanceof Datum.Int integer) {
          appendPointer(out, conversion, DatumFormat.bits(integer.value(), integer.type()));
        } else if (datum instanceof Datum.Address address) {
          appendPointer(out, conversion, address.value());
        } else {
          defaults.append(out, datum);
        }
      }
      case DEFAULT, FRACTION -> {
        defaults.append(out, datum);
        return;
      }
    }
    pad(out, conversion, start);
  }

  private static void pad(StringBuilder out, Conversion conversion, int start) {
    int missing = conversion.width() - bytes(out, start);
    if (conversion.has('-')) {
      Padding.spaces(out, missing);
    } else {
      insert(out, start, ' ', missing);
    }
  }

  /** Widths and precisions count bytes, as in C. */
  private static int bytes(StringBuilder out, int start) {
    return TextBytes.encode(out.substring(start)).length;
  }

  private static void appendText(StringBuilder out, Conversion conversion, String text) {
    byte[] bytes = TextBytes.encode(text);
    int limit = conversion.precision();
    out.append(
        limit < 0 || limit >= bytes.length ? text : TextBytes.decode(Arrays.copyOf(bytes, limit)));
  }

  private static void appendPointer(StringBuilder out, Conversion conversion, long value) {
    if (value == 0) {
      out.append("(nil)");
      return;
    }
    int start = out.length();
    out.append("0x").append(Long.toHexString(value));
    zeros(out, conversion, start, start + 2);
  }

  private static void appendInt(
      StringBuilder out, Conversion conversion, long value, IntType type) {
    switch (conversion.letter()) {
      case 'c' -> out.append(TextBytes.ofByte((byte) value));
      case 'd', 'i' -> appendDecimal(out, conversion, value, type.isSigned());
      default -> appendBits(out, conversion, DatumFormat.bits(value, type));
    }
  }

  private static void appendDecimal(
      StringBuilder out, Conversion conversion, long original, boolean signed) {
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
      // Negating the least number leaves its bits, which as unsigned are its magnitude.
      out.append(Long.toUnsignedString(negative ? -value : value));
    }
    zeros(out, conversion, start, digits);
  }

  private static void appendBits(StringBuilder out, Conversion conversion, long bits) {
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
      out.append(
          switch (letter) {
            case 'o' -> Long.toOctalString(value);
            case 'x' -> Long.toHexString(value);
            case 'X' -> Long.toHexString(value).toUpperCase(Locale.ROOT);
            default -> Long.toUnsignedString(value);
          });
    }
    zeros(out, conversion, start, digits);
    boolean zeroFirst = out.length() > digits && out.charAt(digits) == '0';
    if (letter == 'o' && conversion.has('#') && !zeroFirst) {
      out.insert(digits, '0');
    }
  }

  /** Puts zeros before the digits: up to the precision, or to the width where the flag says so. */
  private static void zeros(StringBuilder out, Conversion conversion, int start, int digits) {
    if (conversion.precision() >= 0) {
      insert(out, digits, '0', conversion.precision() - (out.length() - digits));
    } else if (conversion.has('0') && !conversion.has('-')) {
      insert(out, digits, '0', conversion.width() - (out.length() - start));
    }
  }

  private static void insert(StringBuilder out, int position, char character, int count) {
    for (int i = 0; i < count; i++) {
      out.insert(position, character);
    }
  }
}
