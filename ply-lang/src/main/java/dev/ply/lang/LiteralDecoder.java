package dev.ply.lang;

import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Optional;

/** Reads numbers and strings as C writes them, with the language's {@code _} and {@code 0b}. */
final class LiteralDecoder {
  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(64);

  private LiteralDecoder() {}

  /** Returns the 64 bits of a number, empty if they are not enough. */
  static Optional<Long> number(String text) {
    String digits = text.replace("_", "");
    if (!digits.startsWith("0x") && !digits.startsWith("0X") && !digits.startsWith("0b")) {
      int end = digitsEnd(digits);
      if (end > 0 && end < digits.length()) {
        return scaled(digits.substring(0, end), digits.substring(end));
      }
    }
    int base = 10;
    if (digits.startsWith("0b")) {
      base = 2;
      digits = digits.substring(2);
    } else if (digits.startsWith("0x") || digits.startsWith("0X")) {
      base = 16;
      digits = digits.substring(2);
    } else if (digits.startsWith("0")) {
      base = 8;
      digits = octalPart(digits);
    }
    digits = withoutZeros(digits);
    if (digits.length() > 64) {
      // More digits than bits; reading them would take a time that grows with their square.
      return Optional.empty();
    }
    BigInteger value = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits, base);
    return value.compareTo(LIMIT) < 0 ? Optional.of(value.longValue()) : Optional.empty();
  }

  private static int digitsEnd(String text) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Returns a number with an exponent, {@code 1e6}, or with a unit of time, in nanoseconds. */
  private static Optional<Long> scaled(String digits, String suffix) {
    String number = withoutZeros(digits);
    if (number.isEmpty()) {
      return Optional.of(0L);
    }
    BigInteger factor;
    if (suffix.startsWith("e") || suffix.startsWith("E")) {
      String exponent = withoutZeros(suffix.substring(1));
      if (exponent.length() > 2 || number.length() > 64) {
        return Optional.empty();
      }
      factor = BigInteger.TEN.pow(exponent.isEmpty() ? 0 : Integer.parseInt(exponent));
    } else {
      factor =
          BigInteger.valueOf(
              switch (suffix) {
                case "ns" -> 1L;
                case "us" -> 1_000L;
                case "ms" -> 1_000_000L;
                case "s" -> 1_000_000_000L;
                case "m" -> 60_000_000_000L;
                case "h" -> 3_600_000_000_000L;
                case "d" -> 86_400_000_000_000L;
                default -> throw new IllegalArgumentException("no unit of time: " + suffix);
              });
    }
    if (number.length() > 64) {
      return Optional.empty();
    }
    BigInteger value = new BigInteger(number).multiply(factor);
    return value.compareTo(LIMIT) < 0 ? Optional.of(value.longValue()) : Optional.empty();
  }

  private static String withoutZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return digits.substring(zeros);
  }

  /** A number in octal ends at its first digit that is none, as strtoull(3) has it. */
  private static String octalPart(String digits) {
    int end = 0;
    while (end < digits.length() && digits.charAt(end) < '8') {
      end++;
    }
    return digits.substring(0, end);
  }

  /**
   * Returns what a string between its quotes says, as {@link TextBytes} writes it: a numeric escape
   * is one byte. An escape without meaning says itself.
   */
  static String string(String quoted) {
    return unescaped(quoted.substring(1, quoted.length() - 1));
  }

  /** Returns what a string without its quotes says. */
  static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int i = 0;
    while (i < text.length()) {
      int escape = text.indexOf('\\', i);
      if (escape < 0 || escape + 1 == text.length()) {
        out.writeBytes(TextBytes.encode(text.substring(i)));
        break;
      }
      out.writeBytes(TextBytes.encode(text.substring(i, escape)));
      char letter = text.charAt(escape + 1);
      i = escape + 2;
      int numeric = numericEnd(text, letter, i);
      if (numeric > i || isOctal(letter)) {
        int start = isOctal(letter) ? i - 1 : i;
        // As in C, what does not fit a byte is cut.
        out.write(Integer.parseInt(text.substring(start, numeric), isOctal(letter) ? 8 : 16));
        i = numeric;
      } else if (letter < 0x80) {
        out.write(simple(letter));
      } else {
        // No escape, but a character of its own, perhaps of several chars.
        i = escape + 1;
      }
    }
    return TextBytes.decode(out.toByteArray());
  }

  private static boolean isOctal(char c) {
    return c >= '0' && c <= '7';
  }

  /** Returns where the digits of {@code \x41} or {@code \101} end. */
  private static int numericEnd(String text, char escape, int start) {
    int end = start;
    if (escape == 'x') {
      while (end < text.length() && end < start + 2 && Character.digit(text.charAt(end), 16) >= 0) {
        end++;
      }
    } else if (isOctal(escape)) {
      while (end < text.length() && end < start + 2 && isOctal(text.charAt(end))) {
        end++;
      }
    }
    return end;
  }

  private static char simple(char escape) {
    return switch (escape) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'a' -> '\u0007';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'v' -> '\u000b';
      default -> escape;
    };
  }
}
