package dev.ply.lang.argument;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.lang.token.LiteralDecoder;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts values of environment variables to numbers. In a class of its own, since few scripts use
 * any.
 */
final class EnvironmentNumber {
  private static final Pattern NUMBER =
      Pattern.compile("[ \\t-\\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)");

  private EnvironmentNumber() {}

  /**
   * Returns the number if all of the value is one, as strtoll(3) parses it, with prefixes 0x and 0.
   */
  static Optional<Expr> of(String value, SourceSpan span) {
    Matcher matcher = NUMBER.matcher(value);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Optional<Long> bits = LiteralDecoder.number(matcher.group(2));
    if (!matcher.group(1).equals("-")) {
      return bits.map(all -> new Expr.IntLiteral(all, span));
    }
    BigInteger lowest = BigInteger.ONE.shiftLeft(63);
    return bits.filter(all -> new BigInteger(Long.toUnsignedString(all)).compareTo(lowest) <= 0)
        .map(all -> Expr.number(-all, span));
  }
}
