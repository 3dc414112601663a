package dev.ply.lang.events;

import java.util.OptionalInt;
import java.util.OptionalLong;

/** Numbers as the kernel's {@code kstrtol} and its relatives read them: decimal, hex or octal. */
public final class Numbers {
  private Numbers() {}

  /** Returns an unsigned number of 64 bits. */
  public static OptionalLong unsigned(String text) {
    String digits = text.startsWith("+") ? text.substring(1) : text;
    int radix = 10;
    if (digits.startsWith("0x") || digits.startsWith("0X")) {
      radix = 16;
      digits = digits.substring(2);
    } else if (digits.length() > 1 && digits.startsWith("0")) {
      radix = 8;
    }
    if (digits.isEmpty() || Character.digit(digits.charAt(0), radix) < 0) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(digits, radix));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns a signed number of 64 bits. */
  public static OptionalLong signed(String text) {
    boolean isNegative = text.startsWith("-");
    OptionalLong magnitude = unsigned(isNegative ? text.substring(1) : text);
    if (magnitude.isEmpty() || (isNegative && text.startsWith("-+"))) {
      return OptionalLong.empty();
    }
    long value = isNegative ? -magnitude.getAsLong() : magnitude.getAsLong();
    boolean fits = isNegative ? value <= 0 : value >= 0;
    return fits ? OptionalLong.of(value) : OptionalLong.empty();
  }

  /** Returns a decimal number of at most nine digits. */
  public static OptionalInt decimal(String text) {
    boolean isNumber =
        !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
  }
}
