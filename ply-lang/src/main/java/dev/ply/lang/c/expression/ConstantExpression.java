package dev.ply.lang.c.expression;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.c.expression.CToken.Kind;
import java.util.Optional;

/**
 * Computes C's constant expressions. What names and keywords mean is left to the two users: the
 * conditions of directives, and declarations.
 */
public abstract class ConstantExpression extends ExpressionParser<CNumber, CSyntaxException> {
  /**
   * The number of operands around that are not evaluated: a division by zero is not an error there.
   */
  private int skipped;

  /** Returns a token that has not been taken; 0 is the next. */
  protected abstract CToken peek(int ahead);

  protected abstract CToken take();

  /** Returns the value of what begins with a name, or, a cast, with a parenthesis. */
  protected abstract Optional<CNumber> special(CToken token) throws CSyntaxException;

  /** Returns a literal's value as its user computes with it. */
  protected abstract CNumber literal(CNumber number);

  protected abstract int longBytes();

  @Override
  protected CSyntaxException tooDeep() {
    return new CSyntaxException(peek(0), "this expression is nested too deeply", "");
  }

  /** Returns the value of the expression that is next. */
  public CNumber conditional() throws CSyntaxException {
    CNumber condition = expression();
    if (!peek(0).is("?")) {
      return condition;
    }
    CToken unused = take();
    boolean isTrue = condition.isTrue();
    CNumber then = peek(0).is(":") ? condition : part(isTrue);
    expect(":");
    CNumber otherwise = part(!isTrue);
    CNumber type = then.apply(BinaryOp.OR, otherwise).orElse(then);
    return CNumber.of((isTrue ? then : otherwise).value(), type.isUnsigned(), type.bytes());
  }

  private CNumber part(boolean isEvaluated) throws CSyntaxException {
    return isEvaluated ? nested(this::conditional) : skipped(() -> nested(this::conditional));
  }

  private CNumber skipped(Part<CNumber, CSyntaxException> part) throws CSyntaxException {
    skipped++;
    try {
      return part.parse();
    } finally {
      skipped--;
    }
  }

  @Override
  protected Optional<BinaryOp> operator() {
    return peek(0).kind() == Kind.PUNCTUATOR ? operator(peek(0).text()) : Optional.empty();
  }

  @Override
  protected CNumber operation(BinaryOp operator, CNumber left) throws CSyntaxException {
    CToken token = take();
    if (operator.kind() == BinaryOp.Kind.LOGICAL) {
      boolean isDecided = left.isTrue() == (operator == BinaryOp.LOGICAL_OR);
      CNumber decisive = isDecided ? skipped(() -> right(operator)) : right(operator);
      return CNumber.ofTruth((isDecided ? left : decisive).isTrue());
    }
    Optional<CNumber> value = left.apply(operator, right(operator));
    if (value.isEmpty() && skipped == 0) {
      throw new CSyntaxException(token, "this divides by zero", "");
    }
    return value.orElse(left);
  }

  /** Returns the value of an operand with its signs. */
  protected CNumber unary() throws CSyntaxException {
    return nested(this::operand);
  }

  @Override
  protected CNumber operand() throws CSyntaxException {
    CToken token = peek(0);
    switch (token.kind() == Kind.PUNCTUATOR ? token.text() : "") {
      case "+" -> {
        CToken unused = take();
        return unary();
      }
      case "-" -> {
        return prefixed(UnaryOp.NEGATE);
      }
      case "~" -> {
        return prefixed(UnaryOp.COMPLEMENT);
      }
      case "!" -> {
        return prefixed(UnaryOp.NOT);
      }
      default -> {}
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
            token, "\"" + token.text() + "\" is not an integer of up to 64 bits", "");
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

  private CNumber prefixed(UnaryOp operator) throws CSyntaxException {
    CToken unused = take();
    return unary().apply(operator);
  }

  public static CSyntaxException unexpected(CToken token) {
    return new CSyntaxException(
        token,
        token.isEnd()
            ? "a constant ends at the end of the source"
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
