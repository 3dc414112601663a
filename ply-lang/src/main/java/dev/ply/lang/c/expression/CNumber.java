package dev.ply.lang.c.expression;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.UnaryOp;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/**
 * A value of a constant expression.
 *
 * @param value its bits, extended to 64 by its signedness
 * @param isUnsigned whether its type is unsigned
 * @param bytes the size of its type: 4 or 8
 */
public record CNumber(long value, boolean isUnsigned, int bytes) {
  private static final BigInteger WORDS = BigInteger.ONE.shiftLeft(Long.SIZE);

  public static CNumber ofInt(long value) {
    return new CNumber((int) value, false, Integer.BYTES);
  }

  public static CNumber ofTruth(boolean truth) {
    return ofInt(truth ? 1 : 0);
  }

  /** Returns a value of a type, with the bits that the type has. */
  public static CNumber of(long value, boolean isUnsigned, int bytes) {
    if (bytes >= Long.BYTES) {
      return new CNumber(value, isUnsigned, Long.BYTES);
    }
    int unused = Long.SIZE - bytes * Byte.SIZE;
    long cut = isUnsigned ? value << unused >>> unused : value << unused >> unused;
    // Narrower types are promoted.
    return bytes < Integer.BYTES
        ? new CNumber(cut, false, Integer.BYTES)
        : new CNumber(cut, isUnsigned, bytes);
  }

  public boolean isTrue() {
    return value != 0;
  }

  /** Returns the value in 64 bits, as the preprocessor computes. */
  public CNumber widened() {
    return new CNumber(value, isUnsigned, Long.BYTES);
  }

  /**
   * Returns the value of an integer literal; empty if it is none. The type is the first that has
   * the value: of int, long and unsigned long, with others by suffix and base.
   *
   * @param longBytes the size of long
   */
  public static Optional<CNumber> parse(String text, int longBytes) {
    String lower = text.toLowerCase(Locale.ROOT).replace("'", "");
    int end = lower.length();
    int base = 10;
    int start = 0;
    if (lower.startsWith("0x") || lower.startsWith("0b")) {
      base = lower.charAt(1) == 'x' ? 16 : 2;
      start = 2;
    } else if (lower.startsWith("0") && end > 1) {
      base = 8;
    }
    while (end > start && (lower.charAt(end - 1) == 'u' || lower.charAt(end - 1) == 'l')) {
      end--;
    }
    String suffix = lower.substring(end);
    if (!suffix.matches("(u?l{0,2}|l{1,2}u)") || end - start > Long.SIZE) {
      return Optional.empty();
    }
    BigInteger value;
    try {
      value = new BigInteger(lower.substring(start, end), base);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    if (value.signum() < 0 || value.compareTo(WORDS) >= 0) {
      return Optional.empty();
    }
    boolean isUnsigned = suffix.contains("u");
    int longs = (int) suffix.chars().filter(c -> c == 'l').count();
    int bytes = longs == 0 ? Integer.BYTES : longs == 1 ? longBytes : Long.BYTES;
    int bits = value.bitLength();
    boolean mayBeUnsigned = isUnsigned || base != 10;
    while (bits > bytes * Byte.SIZE - (isUnsigned ? 0 : 1)) {
      if (mayBeUnsigned && bits <= bytes * Byte.SIZE) {
        isUnsigned = true;
      } else if (bytes < Long.BYTES) {
        bytes = Long.BYTES;
      } else {
        isUnsigned = true;
      }
    }
    return Optional.of(new CNumber(value.longValue(), isUnsigned, bytes));
  }

  /** Returns the value of a character, {@code 'a'}; that of several is GCC's. */
  static CNumber character(String quoted) {
    String text = quoted.substring(quoted.indexOf('\'') + 1, quoted.length() - 1);
    boolean isWide = !quoted.startsWith("'");
    long value = 0;
    int count = 0;
    for (int i = 0; i < text.length(); count++) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == '\\' && i < text.length()) {
        int start = i;
        char letter = text.charAt(i++);
        if (letter == 'x') {
          while (i < text.length() && Character.digit(text.charAt(i), 16) >= 0) {
            i++;
          }
          c = i > start + 1 ? (int) Long.parseLong(tail(text.substring(start + 1, i)), 16) : 0;
        } else if (letter >= '0' && letter <= '7') {
          while (i < text.length() && i < start + 3 && Character.digit(text.charAt(i), 8) >= 0) {
            i++;
          }
          c = Integer.parseInt(text.substring(start, i), 8);
        } else {
          c = escape(letter);
        }
      }
      value = isWide ? c : value << Byte.SIZE | (c & 0xff);
    }
    return ofInt(count == 1 && !isWide ? (byte) value : value);
  }

  private static String tail(String digits) {
    return digits.substring(Math.max(0, digits.length() - 8));
  }

  private static int escape(char letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'v' -> 11;
      case 'e' -> 27;
      default -> letter;
    };
  }

  /** Returns the value of an operator with one operand. */
  CNumber apply(UnaryOp operator) {
    return switch (operator) {
      case NEGATE -> of(-value, isUnsigned, bytes);
      case COMPLEMENT -> of(~value, isUnsigned, bytes);
      case NOT -> ofTruth(value == 0);
      case DEREFERENCE, ADDRESS_OF ->
          throw new IllegalArgumentException("no operator of numbers: " + operator);
    };
  }

  /** Returns the value of an operator with two operands; empty for a division by zero. */
  Optional<CNumber> apply(BinaryOp operator, CNumber right) {
    if (operator.kind() == BinaryOp.Kind.SHIFT) {
      return Optional.of(shifted(operator, right.value));
    }
    int size = Math.max(bytes, right.bytes);
    boolean unsigned = (isUnsigned && bytes == size) || (right.isUnsigned && right.bytes == size);
    long a = of(value, unsigned, size).value;
    long b = of(right.value, unsigned, size).value;
    if (operator.kind() == BinaryOp.Kind.COMPARISON) {
      return Optional.of(
          ofTruth(isOrdered(operator, unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b))));
    }
    if (b == 0 && (operator == BinaryOp.DIV || operator == BinaryOp.MOD)) {
      return Optional.empty();
    }
    long result =
        switch (operator) {
          case DIV -> unsigned ? Long.divideUnsigned(a, b) : a / b;
          case MOD -> unsigned ? Long.remainderUnsigned(a, b) : a % b;
          case MUL -> a * b;
          case ADD -> a + b;
          case SUB -> a - b;
          case AND -> a & b;
          case XOR -> a ^ b;
          case OR -> a | b;
          default -> throw new IllegalArgumentException("no arithmetic: " + operator);
        };
    return Optional.of(of(result, unsigned, size));
  }

  private static boolean isOrdered(BinaryOp operator, int order) {
    return switch (operator) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      default -> order >= 0;
    };
  }

  private CNumber shifted(BinaryOp operator, long by) {
    boolean isLeft = operator == BinaryOp.SHL;
    int bits = bytes * Byte.SIZE;
    if (by < 0 || by >= bits) {
      return of(!isLeft && value < 0 && !isUnsigned ? -1 : 0, isUnsigned, bytes);
    }
    return of(isLeft ? value << by : isUnsigned ? value >>> by : value >> by, isUnsigned, bytes);
  }
}
