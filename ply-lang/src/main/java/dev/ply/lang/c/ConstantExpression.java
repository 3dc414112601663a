package dev.ply.lang.c;

import dev.ply.lang.c.CToken.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Computes C's constant expressions. What names and keywords mean is left to the two users: the
 * conditions of directives, and declarations.
 */
abstract class ConstantExpression {
  private static final int DEEPEST = 200;

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

  private int depth;

  /** The number of operands around that are not evaluated: a division by zero is no error there. */
  private int skipped;

  /** Returns a token that has not been taken; 0 is the next. */
  abstract CToken peek(int ahead);

  abstract CToken take();

  /** Returns the value of what begins with a name, or, a cast, with a parenthesis. */
  abstract Optional<CNumber> special(CToken token) throws CSyntaxException;

  /** Returns a literal's value as its user computes with it. */
  abstract CNumber literal(CNumber number);

  abstract int longBytes();

  /** Returns the value of the expression that is next. */
  CNumber conditional() throws CSyntaxException {
    if (++depth > DEEPEST) {
      throw new CSyntaxException(peek(0), "this expression is nested too deeply", "");
    }
    try {
      CNumber condition = binary(0);
      if (!peek(0).is("?")) {
        return condition;
      }
      CToken unused = take();
      boolean isTrue = condition.isTrue();
      CNumber then = peek(0).is(":") ? condition : part(isTrue);
      expect(":");
      CNumber otherwise = part(!isTrue);
      CNumber type = then.apply("|", otherwise).orElse(then);
      return CNumber.of((isTrue ? then : otherwise).value(), type.isUnsigned(), type.bytes());
    } finally {
      depth--;
    }
  }

  private CNumber part(boolean isEvaluated) throws CSyntaxException {
    skipped += isEvaluated ? 0 : 1;
    try {
      return conditional();
    } finally {
      skipped -= isEvaluated ? 0 : 1;
    }
  }

  private CNumber binary(int level) throws CSyntaxException {
    if (level == LEVELS.size()) {
      return unary();
    }
    CNumber left = binary(level + 1);
    while (LEVELS.get(level).contains(peek(0).text()) && peek(0).kind() == Kind.PUNCTUATOR) {
      CToken operator = take();
      if (level < 2) {
        boolean isDecided = left.isTrue() == operator.is("||");
        skipped += isDecided ? 1 : 0;
        CNumber right = binary(level + 1);
        skipped -= isDecided ? 1 : 0;
        left = CNumber.ofTruth(isDecided ? left.isTrue() : right.isTrue());
        continue;
      }
      CNumber right = binary(level + 1);
      Optional<CNumber> value = left.apply(operator.text(), right);
      if (value.isEmpty() && skipped == 0) {
        throw new CSyntaxException(operator, "this divides by zero", "");
      }
      left = value.orElse(left);
    }
    return left;
  }

  /** Returns the value of an operand with its signs. */
  CNumber unary() throws CSyntaxException {
    if (++depth > DEEPEST) {
      throw new CSyntaxException(peek(0), "this expression is nested too deeply", "");
    }
    try {
      return operand();
    } finally {
      depth--;
    }
  }

  private CNumber operand() throws CSyntaxException {
    CToken token = peek(0);
    if (token.is("-") || token.is("+") || token.is("~") || token.is("!")) {
      CToken unused = take();
      return unary().apply(token.text());
    }
    if (token.isName() || token.is("(") || token.is("&")) {
      Optional<CNumber> special = special(token);
      if (special.isPresent()) {
        return special.get();
      }
    }
    if (token.is("(")) {
      CToken unused = take();
      CNumber inner = conditional();
      expect(")");
      return inner;
    }
    if (token.kind() == Kind.NUMBER) {
      Optional<CNumber> number = CNumber.parse(token.text(), longBytes());
      if (number.isEmpty()) {
        throw new CSyntaxException(
            token, "\"" + token.text() + "\" is no integer of up to 64 bits", "");
      }
      CToken unused = take();
      return literal(number.get());
    }
    if (token.kind() == Kind.CHARACTER) {
      CToken unused = take();
      return literal(CNumber.character(token.text()));
    }
    throw unexpected(token);
  }

  static CSyntaxException unexpected(CToken token) {
    return new CSyntaxException(
        token,
        token.isEnd()
            ? "the end of the source is no part of a constant"
            : "unexpected \"" + token.text() + "\" in a constant",
        "constants have numbers, names of constants, sizeof, and C's operators");
  }

  private void expect(String text) throws CSyntaxException {
    if (!peek(0).is(text)) {
      throw unexpected(peek(0));
    }
    CToken unused = take();
  }
}
