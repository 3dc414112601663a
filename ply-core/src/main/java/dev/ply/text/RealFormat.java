package dev.ply.text;

import dev.ply.text.PrintfFormat.Conversion;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats floating-point numbers as C's {@code %f}, {@code %e}, {@code %g} and {@code %a} do. */
public final class RealFormat {
  private static final int DEFAULT_PRECISION = 6;

  private RealFormat() {}

  /** Writes a number with its sign, without padding. */
  public static void append(TextBuffer out, Conversion conversion, double value) {
    char letter = Character.toLowerCase(conversion.letter());
    boolean isNegative = value < 0 || (value == 0 && 1 / value < 0);
    String sign = isNegative ? "-" : conversion.has('+') ? "+" : conversion.has(' ') ? " " : "";
    String digits = digits(letter, Math.abs(value), conversion.precision());
    boolean isUpper = Character.isUpperCase(conversion.letter());
    out.append(sign).append(isUpper ? digits.toUpperCase(Locale.ROOT) : digits);
  }

  private static String digits(char letter, double value, int given) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return "inf";
    }
    int precision = given < 0 ? DEFAULT_PRECISION : given;
    return switch (letter) {
      case 'a' -> Double.toHexString(value);
      case 'e' -> exponential(value, precision);
      case 'g' -> shorter(value, Math.max(1, precision));
      default -> new BigDecimal(value).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    };
  }

  private static String exponential(double value, int precision) {
    if (value == 0) {
      return fraction("0", precision) + "e+00";
    }
    BigDecimal rounded = rounded(value, precision + 1);
    String digits = rounded.unscaledValue().toString();
    int exponent = rounded.precision() - rounded.scale() - 1;
    digits = digits + "0".repeat(Math.max(0, precision + 1 - digits.length()));
    String fraction = precision == 0 ? "" : "." + digits.substring(1, precision + 1);
    return digits.charAt(0)
        + fraction
        + "e"
        + (exponent < 0 ? "-" : "+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  private static String fraction(String whole, int precision) {
    return precision == 0 ? whole : whole + "." + "0".repeat(precision);
  }

  /**
   * Writes as many significant digits, in the shorter of two notations, without zeros at the end.
   */
  private static String shorter(double value, int significant) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = rounded(value, significant);
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < significant) {
      BigDecimal stripped = rounded.stripTrailingZeros();
      return stripped.toPlainString();
    }
    String text = exponential(value, significant - 1);
    int end = text.indexOf('e');
    String digits = text.substring(0, end);
    if (digits.indexOf('.') >= 0) {
      digits = digits.replaceAll("\\.?0+$", "");
    }
    return digits + text.substring(end);
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }
}
