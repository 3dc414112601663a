package dev.ply.lang.token;

import dev.ply.ir.TypeName;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/** Decodes literals: C's numbers and strings, with {@code _} and {@code 0b}. */
public final class LiteralDecoder {
  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(64);

  private LiteralDecoder() {}

  /** Returns the 64 bits of a number, empty if it is out of range. */
  public static Optional<Long> number(String text) {
    String digits = text.substring(0, suffixStart(text)).replace("_", "");
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
      // Longer than any 64-bit number; parsing time would be quadratic.
      return Optional.empty();
    }
    BigInteger value = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits, base);
    return value.compareTo(LIMIT) < 0 ? Optional.of(value.longValue()) : Optional.empty();
  }

  /** Returns where the suffix of a number begins, {@code ul}, which tells its type in C. */
  private static int suffixStart(String text) {
    int start = text.length();
    while (start > 0 && "uUlL".indexOf(text.charAt(start - 1)) >= 0) {
      start--;
    }
    return start;
  }

  /**
   * Returns the type that the suffix of a number gives it, empty without one.
   *
   * @param value of the number, which can be too large for the suffix's own type
   */
  public static Optional<TypeName> suffixType(String text, long value) {
    String suffix = text.substring(suffixStart(text)).toLowerCase(Locale.ROOT);
    if (suffix.isEmpty()) {
      return Optional.empty();
    }
    if (suffix.equals("u") && value >>> Integer.SIZE == 0) {
      return Optional.of(new TypeName("uint32", 0));
    }
    return Optional.of(new TypeName(suffix.contains("u") || value < 0 ? "uint64" : "int64", 0));
  }

  private static int digitsEnd(String text) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Returns a number with an exponent, {@code 1e6}, or a duration in nanoseconds. */
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

  public static String withoutZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return digits.substring(zeros);
  }

  /** Returns whether an octal number ends before its last digit, as {@code 08} does. */
  public static boolean isCutOctal(String text) {
    String digits = text.substring(0, suffixStart(text)).replace("_", "");
    return digits.startsWith("0")
        && digitsEnd(digits) == digits.length()
        && octalPart(digits).length() < digits.length();
  }

  /** An octal number ends at its first other digit, as with strtoull(3). */
  private static String octalPart(String digits) {
    int end = 0;
    while (end < digits.length() && digits.charAt(end) < '8') {
      end++;
    }
    return digits.substring(0, end);
  }

  /**
   * Returns the content of a string literal, as {@link TextBytes} decodes it: a numeric escape is
   * one byte, an unknown escape is literal.
   */
  public static String string(String quoted) {
    return unescaped(quoted.substring(1, quoted.length() - 1));
  }

  /** Returns the content of a string without its quotes. */
  public static String unescaped(String text) {
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
        // As in C, a larger value is truncated to a byte.
        out.write(Integer.parseInt(text.substring(start, numeric), isOctal(letter) ? 8 : 16));
        i = numeric;
      } else if (letter < 0x80) {
        out.write(simple(letter));
      } else {
        // Not an escape but a character, possibly a surrogate pair.
        i = escape + 1;
      }
    }
    return TextBytes.decode(out.toByteArray());
  }

  private static boolean isOctal(char c) {
    return c >= '0' && c <= '7';
  }

  /** Returns the end of the digits of {@code \x41} or {@code \101}. */
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
