package dev.ply.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A format of {@code printf}, taken apart once: literal text and conversions as in C, {@code %pS}
 * for kernel symbols as in the kernel, and {@code %v} for a value's default format. Immutable.
 *
 * <p>{@code %r}, {@code %rx} and {@code %rh} show buffers, {@code %gr} the kernel's allocation
 * flags, as in bpftrace.
 *
 * <p>Unknown conversions are literal text and take no argument. Conversions of fractions are known,
 * but there are no fractions to show. Widths and precisions go up to 9999; those of arguments, for
 * {@code *}, are cut to that. Literal text is written as it is, values are escaped.
 */
public final class PrintfFormat {
  /** Flags, width, precision and length in any combination; validated later. */
  private static final Pattern SPECIFICATION =
      Pattern.compile("%(?:%|([ #'*+,.0-9Lhjlqtz-]*)(r[xh]|pS|gr|.))?", Pattern.DOTALL);

  private static final String LETTERS = "diuxXocspvreEfFgGaA";

  private static final Pattern OPTIONS =
      Pattern.compile(
          "(?<flags>[-+ #0']*)(?<width>[0-9]{0,4}|\\*)(?:\\.(?<precision>[0-9]{0,4}|\\*))?"
              + "(?<length>[Lhjlqtz]*)");

  /** A piece of a format. */
  public sealed interface Piece {}

  /**
   * Literal characters.
   *
   * @param text without escapes
   */
  public record Literal(String text) implements Piece {}

  /**
   * A conversion.
   *
   * @param text the conversion as written
   * @param specifier one of {@code diuxXocspvreEfFgGaA}, {@code rx}, {@code rh}, {@code pS} and
   *     {@code gr}
   * @param flags of {@code -+ #0'}, in the order written
   * @param width the minimum width; {@link #BY_ARGUMENT} for {@code *}
   * @param precision the minimum number of digits, or the maximum number of characters; -1 if
   *     absent, {@link #BY_ARGUMENT} for {@code *}
   * @param length C's length modifier; in ply's layout only {@code h} and {@code hh} have an
   *     effect, since values have their own size
   */
  public record Conversion(
      String text, String specifier, String flags, int width, int precision, String length)
      implements Piece {
    /** The width or precision is an argument, before the one to convert. */
    public static final int BY_ARGUMENT = -2;

    private static final int LARGEST = 9999;

    /** The kind of values that a conversion shows. */
    public enum Kind {
      /** Integers: {@code d i u x X o c}. */
      INTEGER,
      /** Floating-point notation: {@code e E f F g G a A}. */
      FRACTION,
      /** Strings: {@code s}. */
      TEXT,
      /** Addresses: {@code p}. */
      POINTER,
      /** Buffers: {@code r rx rh}. */
      BUFFER,
      /** Kernel addresses as symbol, offset and size: {@code pS}. */
      SYMBOL,
      /** The kernel's allocation flags by name: {@code gr}. */
      FLAGS,
      /** Any value in its default format: {@code v}. */
      DEFAULT
    }

    /** {@return the first letter of the specifier} */
    public char letter() {
      return specifier.charAt(0);
    }

    /** {@return the kind of values it shows} */
    public Kind kind() {
      return switch (letter()) {
        case 'r' -> Kind.BUFFER;
        case 's' -> Kind.TEXT;
        case 'p' -> specifier.equals("pS") ? Kind.SYMBOL : Kind.POINTER;
        case 'v' -> Kind.DEFAULT;
        case 'g' -> specifier.equals("gr") ? Kind.FLAGS : Kind.FRACTION;
        case 'e', 'E', 'f', 'F', 'G', 'a', 'A' -> Kind.FRACTION;
        default -> Kind.INTEGER;
      };
    }

    /** {@return the number of arguments: one, and one for each {@code *}} */
    public int arguments() {
      return 1 + (width == BY_ARGUMENT ? 1 : 0) + (precision == BY_ARGUMENT ? 1 : 0);
    }

    /** {@return this conversion with a width; a negative one aligns to the left} */
    public Conversion withWidth(int columns) {
      int bounded = (int) Math.min(LARGEST, Math.abs((long) columns));
      return new Conversion(
          text, specifier, columns < 0 ? flags + "-" : flags, bounded, precision, length);
    }

    /** {@return this conversion with a precision; a negative one counts as absent} */
    public Conversion withPrecision(int digits) {
      int bounded = Math.max(-1, Math.min(LARGEST, digits));
      return new Conversion(text, specifier, flags, width, bounded, length);
    }

    /** {@return whether it shows a sign: {@code d}, {@code i}} */
    public boolean isSigned() {
      return letter() == 'd' || letter() == 'i';
    }

    public boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }
  }

  private final String format;
  private final List<Piece> pieces;
  private final List<Conversion> conversions;

  private PrintfFormat(String format, List<Piece> pieces) {
    this.format = format;
    this.pieces = List.copyOf(pieces);
    this.conversions =
        pieces.stream().filter(Conversion.class::isInstance).map(Conversion.class::cast).toList();
  }

  /**
   * Parses {@code format}, whose escapes are already resolved.
   *
   * @param format any string
   * @return the format, of literal characters and conversions
   */
  public static PrintfFormat parse(String format) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    Matcher matcher = SPECIFICATION.matcher(format);
    int copied = 0;
    while (matcher.find()) {
      literal.append(format, copied, matcher.start());
      copied = matcher.end();
      if (matcher.group().equals("%%")) {
        literal.append('%');
        continue;
      }
      Matcher options = OPTIONS.matcher(matcher.group(1) == null ? "" : matcher.group(1));
      if (matcher.group(2) == null
          || LETTERS.indexOf(matcher.group(2).charAt(0)) < 0
          || !options.matches()) {
        literal.append(matcher.group());
        continue;
      }
      if (!literal.isEmpty()) {
        pieces.add(new Literal(literal.toString()));
        literal.setLength(0);
      }
      String precision = options.group("precision");
      pieces.add(
          new Conversion(
              matcher.group(),
              matcher.group(2),
              options.group("flags"),
              number(options.group("width")),
              precision == null ? -1 : number(precision),
              options.group("length")));
    }
    literal.append(format, copied, format.length());
    if (!literal.isEmpty()) {
      pieces.add(new Literal(literal.toString()));
    }
    return new PrintfFormat(format, pieces);
  }

  private static int number(String digits) {
    return digits.equals("*")
        ? Conversion.BY_ARGUMENT
        : digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** {@return the pieces in order; {@code %%} is literal} */
  public List<Piece> pieces() {
    return pieces;
  }

  /** {@return the conversions in order} */
  public List<Conversion> conversions() {
    return conversions;
  }

  /** {@return the format with {@code %%} replaced by {@code %}, conversions verbatim} */
  public String literal() {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      text.append(piece instanceof Literal literal ? literal.text() : ((Conversion) piece).text());
    }
    return text.toString();
  }

  /** {@return the format as written} */
  @Override
  public String toString() {
    return format;
  }
}
