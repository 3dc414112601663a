package dev.ply.lang.c.directive;

import dev.ply.lang.c.declaration.CAttributes;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import dev.ply.lang.c.expression.ConstantExpression;
import dev.ply.target.HeaderConstants;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The condition of an {@code #if}: 64-bit integers, {@code defined} and what asks for features of
 * the compiler. Constants of the kernel's headers are known by name; other names are 0, as in C.
 */
final class ConditionExpression extends ConstantExpression {
  /** Attributes that declarations here follow or may ignore. */
  private static final Set<String> BUILTINS =
      Set.of("__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_constant_p");

  private final List<CToken> tokens;
  private final Predicate<String> headers;
  private int next;

  /**
   * Creates a condition.
   *
   * @param tokens expanded, but for the operands of {@code defined}, with the end last
   * @param headers whether there is a header, with its quotes or brackets
   */
  ConditionExpression(List<CToken> tokens, Predicate<String> headers) {
    this.tokens = tokens;
    this.headers = headers;
  }

  /** Returns whether the condition is true. */
  boolean isTrue() throws CSyntaxException {
    CNumber value = conditional();
    if (!peek(0).isEnd()) {
      throw unexpected(peek(0));
    }
    return value.isTrue();
  }

  /**
   * Returns the number of tokens that ask for something by a name that is not expanded; 0 if none
   * begin there.
   */
  static int unexpanded(List<CToken> tokens, int start) {
    CToken token = tokens.get(start);
    boolean isQuestion = token.is("defined") || token.text().startsWith("__has_");
    if (!isQuestion || !token.isName() || start + 1 >= tokens.size()) {
      return 0;
    }
    if (!tokens.get(start + 1).is("(")) {
      return token.is("defined") ? 2 : 1;
    }
    for (int i = start + 1; i < tokens.size(); i++) {
      if (tokens.get(i).is(")")) {
        return i + 1 - start;
      }
    }
    return tokens.size() - start;
  }

  @Override
  protected CToken peek(int ahead) {
    return tokens.get(Math.min(next + ahead, tokens.size() - 1));
  }

  @Override
  protected CToken take() {
    CToken token = peek(0);
    next = Math.min(next + 1, tokens.size() - 1);
    return token;
  }

  @Override
  protected CNumber literal(CNumber number) {
    return number.widened();
  }

  @Override
  protected int longBytes() {
    return Long.BYTES;
  }

  @Override
  protected Optional<CNumber> special(CToken token) throws CSyntaxException {
    if (!token.isName()) {
      return Optional.empty();
    }
    CToken unused = take();
    if (token.text().startsWith("__has_") && peek(0).is("(")) {
      return Optional.of(CNumber.ofTruth(has(token)).widened());
    }
    OptionalLong constant = HeaderConstants.value(token.text());
    return Optional.of(new CNumber(constant.orElse(token.is("true") ? 1 : 0), false, Long.BYTES));
  }

  private boolean has(CToken question) throws CSyntaxException {
    CToken unused = take();
    StringBuilder operand = new StringBuilder();
    while (!peek(0).is(")")) {
      if (peek(0).isEnd()) {
        throw unexpected(peek(0));
      }
      operand.append(take().text());
    }
    CToken unused2 = take();
    String name = operand.toString();
    return switch (question.text()) {
      case "__has_include", "__has_include_next" -> headers.test(name);
      case "__has_attribute", "__has_c_attribute", "__has_cpp_attribute" ->
          CAttributes.isKnown(name);
      case "__has_builtin" -> BUILTINS.contains(name);
      default -> false;
    };
  }

  /** Replaces the questions for macros by their answers, which expansion would change. */
  static CToken answer(CToken question, boolean isDefined) {
    return question.as(Kind.NUMBER, isDefined ? "1" : "0");
  }
}
