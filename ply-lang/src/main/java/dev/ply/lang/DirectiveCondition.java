package dev.ply.lang;

import dev.ply.target.HeaderConstants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The condition of an {@code #if}: C's integer expressions over numbers, macros, header constants
 * and {@code defined}. Unknown names are 0, as in C.
 */
final class DirectiveCondition {
  private static final Pattern TOKEN =
      Pattern.compile(
          "[ \t]*(0[xX][0-9a-fA-F]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<|>>|&&|\\|\\||[<>=!]=|\\S)");
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("||"),
          Set.of("&&"),
          Set.of("|"),
          Set.of("^"),
          Set.of("&"),
          Set.of("==", "!="),
          Set.of("<", "<=", ">", ">="),
          Set.of("<<", ">>"),
          Set.of("+", "-"),
          Set.of("*", "/", "%"));

  /** The maximum nesting of macros and parentheses. */
  private static final int DEPTH = 50;

  private final List<String> tokens = new ArrayList<>();
  private final Map<String, String> macros;
  private final int depth;
  private int next;

  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed() {
      super(null, null, false, false);
    }
  }

  DirectiveCondition(String text, Map<String, String> macros) {
    this(text, macros, 0);
  }

  private DirectiveCondition(String text, Map<String, String> macros, int depth) {
    this.macros = macros;
    this.depth = depth;
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      tokens.add(matcher.group(1));
    }
  }

  /** Returns the value; empty after a syntax error. */
  OptionalLong value() {
    try {
      long value = binary(0, depth);
      return next == tokens.size() ? OptionalLong.of(value) : OptionalLong.empty();
    } catch (Malformed e) {
      return OptionalLong.empty();
    }
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private long binary(int level, int nesting) throws Malformed {
    if (level == LEVELS.size()) {
      return unary(nesting);
    }
    long left = binary(level + 1, nesting);
    while (LEVELS.get(level).contains(peek())) {
      String operator = tokens.get(next++);
      left = apply(operator, left, binary(level + 1, nesting));
    }
    return left;
  }

  private static long apply(String operator, long a, long b) throws Malformed {
    if ((operator.equals("/") || operator.equals("%")) && b == 0) {
      throw new Malformed();
    }
    return switch (operator) {
      case "||" -> a != 0 || b != 0 ? 1 : 0;
      case "&&" -> a != 0 && b != 0 ? 1 : 0;
      case "|" -> a | b;
      case "^" -> a ^ b;
      case "&" -> a & b;
      case "==" -> a == b ? 1 : 0;
      case "!=" -> a != b ? 1 : 0;
      case "<" -> a < b ? 1 : 0;
      case "<=" -> a <= b ? 1 : 0;
      case ">" -> a > b ? 1 : 0;
      case ">=" -> a >= b ? 1 : 0;
      case "<<" -> a << b;
      case ">>" -> a >> b;
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      default -> a % b;
    };
  }

  private long unary(int nesting) throws Malformed {
    if (nesting > DEPTH || next == tokens.size()) {
      throw new Malformed();
    }
    String token = tokens.get(next++);
    return switch (token) {
      case "!" -> unary(nesting + 1) == 0 ? 1 : 0;
      case "-" -> -unary(nesting + 1);
      case "+" -> unary(nesting + 1);
      case "~" -> ~unary(nesting + 1);
      case "(" -> {
        long value = binary(0, nesting + 1);
        expect(")");
        yield value;
      }
      case "defined" -> isDefined() ? 1 : 0;
      default -> operand(token, nesting);
    };
  }

  private boolean isDefined() throws Malformed {
    boolean isParenthesised = peek().equals("(");
    if (isParenthesised) {
      next++;
    }
    String name = peek();
    if (!isName(name)) {
      throw new Malformed();
    }
    next++;
    if (isParenthesised) {
      expect(")");
    }
    return macros.containsKey(name);
  }

  private void expect(String token) throws Malformed {
    if (!peek().equals(token)) {
      throw new Malformed();
    }
    next++;
  }

  private static boolean isName(String token) {
    return !token.isEmpty() && (Character.isLetter(token.charAt(0)) || token.charAt(0) == '_');
  }

  private long operand(String token, int nesting) throws Malformed {
    if (!isName(token)) {
      try {
        return Long.decode(token);
      } catch (NumberFormatException e) {
        throw new Malformed();
      }
    }
    String body = macros.get(token);
    if (body == null) {
      return HeaderConstants.value(token).orElse(0);
    }
    return new DirectiveCondition(body, macros, nesting + 1).value().orElseThrow(Malformed::new);
  }
}
