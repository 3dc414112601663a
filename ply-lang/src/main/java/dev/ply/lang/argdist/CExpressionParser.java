package dev.ply.lang.argdist;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses expressions of C. There is no {@code ?:}, since specifiers are split at colons, and
 * nothing that changes a variable.
 */
final class CExpressionParser {
  /** The maximum nesting, which bounds the recursion of this and later stages. */
  private static final int DEEPEST = 200;

  private static final Map<String, BinaryOp> BINARY =
      Stream.of(BinaryOp.values())
          .filter(op -> op != BinaryOp.LOGICAL_XOR)
          .collect(Collectors.toMap(BinaryOp::symbol, Function.identity()));

  private static final Map<String, UnaryOp> UNARY =
      Stream.of(UnaryOp.values()).collect(Collectors.toMap(UnaryOp::symbol, Function.identity()));

  private final List<CToken> tokens;
  private final Scope scope;
  private int next;
  private int depth;

  /** The meanings of what an expression names. */
  interface Scope {
    /** Returns what a name stands for. */
    Expr name(String name, SourceSpan span) throws SpecifierException;

    /** Returns the value of a call. */
    Expr call(String function, List<Expr> arguments, SourceSpan span) throws SpecifierException;

    /** Returns the value that a parameter had at the entry. */
    Expr entry(String parameter, SourceSpan span) throws SpecifierException;

    /** Returns a value converted to a type. */
    Expr cast(CType type, Expr value, SourceSpan span);
  }

  private CExpressionParser(List<CToken> tokens, Scope scope) {
    this.tokens = tokens;
    this.scope = scope;
  }

  /** Parses a whole expression. */
  static Expr parse(Slice expression, Scope scope) throws SpecifierException {
    CExpressionParser parser = new CExpressionParser(CToken.all(expression), scope);
    Expr value = parser.binary(0);
    CToken rest = parser.peek();
    if (rest.kind() != CToken.Kind.END) {
      throw unexpected(rest, "an operator");
    }
    return value;
  }

  private CToken peek() {
    return tokens.get(next);
  }

  private CToken take() {
    CToken token = tokens.get(next);
    next += token.kind() == CToken.Kind.END ? 0 : 1;
    return token;
  }

  private boolean skip(String operator) {
    boolean isThere = peek().is(operator);
    next += isThere ? 1 : 0;
    return isThere;
  }

  private void expect(String operator) throws SpecifierException {
    if (!skip(operator)) {
      throw unexpected(peek(), "\"" + operator + "\"");
    }
  }

  private static SpecifierException unexpected(CToken token, String expected) {
    String[] hints =
        switch (token.text()) {
          case "=" -> new String[] {"values are compared with =="};
          case "?" -> new String[] {"there is no ?: in a specifier: it is split at colons"};
          default -> new String[0];
        };
    return new SpecifierException(
        token.slice().span(), "unexpected " + token.quoted() + ", expected " + expected, hints);
  }

  private SourceSpan from(CToken first) {
    return first.slice().span().through(tokens.get(Math.max(0, next - 1)).slice().span());
  }

  private void enter() throws SpecifierException {
    if (++depth > DEEPEST) {
      throw new SpecifierException(
          peek().slice().span(), "this is nested more than " + DEEPEST + " deep");
    }
  }

  /** Parses operations that bind tighter than {@code precedence}. */
  private Expr binary(int precedence) throws SpecifierException {
    enter();
    int outer = depth;
    CToken first = peek();
    Expr left = unary();
    for (Optional<BinaryOp> op = operator(); isTighter(op, precedence); op = operator()) {
      enter();
      take();
      Expr right = binary(op.orElseThrow().precedence());
      left = new Expr.Binary(op.orElseThrow(), left, right, from(first));
    }
    depth = outer - 1;
    return left;
  }

  private static boolean isTighter(Optional<BinaryOp> op, int precedence) {
    return op.isPresent() && op.get().precedence() > precedence;
  }

  private Optional<BinaryOp> operator() {
    return peek().kind() == CToken.Kind.OPERATOR
        ? Optional.ofNullable(BINARY.get(peek().text()))
        : Optional.empty();
  }

  private Expr unary() throws SpecifierException {
    CToken first = peek();
    Optional<UnaryOp> op =
        first.kind() == CToken.Kind.OPERATOR
            ? Optional.ofNullable(UNARY.get(first.text()))
            : Optional.empty();
    if (op.isEmpty()) {
      Optional<CType> cast = cast();
      return cast.isPresent() ? converted(first, cast.get()) : operand();
    }
    take();
    enter();
    Expr value = unary();
    depth--;
    return new Expr.Unary(op.get(), value, from(first));
  }

  private Expr converted(CToken first, CType type) throws SpecifierException {
    enter();
    Expr value = unary();
    depth--;
    return scope.cast(type, value, from(first));
  }

  /** Takes {@code (type)}, if it is next. */
  private Optional<CType> cast() {
    if (!peek().is("(")) {
      return Optional.empty();
    }
    int end = next + 1;
    List<String> words = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    while (tokens.get(end).kind() == CToken.Kind.NAME || tokens.get(end).is("*")) {
      CToken word = tokens.get(end++);
      text.append(word.text()).append(' ');
      if (word.kind() == CToken.Kind.NAME) {
        words.add(word.text());
      }
    }
    if (!tokens.get(end).is(")") || !CType.isTypeName(words)) {
      return Optional.empty();
    }
    next = end + 1;
    return Optional.of(CType.of(text.toString()));
  }

  private Expr operand() throws SpecifierException {
    CToken first = peek();
    Expr value = atom();
    int members = 0;
    while (true) {
      if (++members > DEEPEST) {
        throw new SpecifierException(from(first), "this has more than " + DEEPEST + " members");
      }
      if (skip("->")) {
        value = member(first, value, Expr.Member.Access.ARROW);
      } else if (skip(".")) {
        value = member(first, value, Expr.Member.Access.DOT);
      } else if (skip("[")) {
        Expr index = binary(0);
        expect("]");
        value = new Expr.Element(value, index, from(first));
      } else {
        return value;
      }
    }
  }

  private Expr member(CToken first, Expr base, Expr.Member.Access access)
      throws SpecifierException {
    CToken name = take();
    if (name.kind() != CToken.Kind.NAME) {
      throw unexpected(name, "the name of a member");
    }
    return new Expr.Member(base, access, name.text(), name.slice().span(), from(first));
  }

  private Expr atom() throws SpecifierException {
    CToken token = take();
    SourceSpan span = token.slice().span();
    switch (token.kind()) {
      case NUMBER -> {
        return new Expr.IntLiteral(number(token), span);
      }
      case STRING -> {
        return new Expr.StringLiteral(CString.decode(token.text()), span);
      }
      case CHARACTER -> {
        String character = CString.decode(token.text());
        if (character.length() != 1 || character.charAt(0) > 0xff) {
          throw new SpecifierException(span, token.quoted() + " is not one character");
        }
        return new Expr.IntLiteral(character.charAt(0), span);
      }
      case NAME -> {
        return peek().is("(") ? call(token) : scope.name(token.text(), span);
      }
      default -> {}
    }
    if (!token.is("(")) {
      throw unexpected(token, "a value");
    }
    Expr value = binary(0);
    expect(")");
    return value;
  }

  private Expr call(CToken function) throws SpecifierException {
    if (function.text().equals("sizeof")) {
      Optional<CType> type = cast();
      if (type.isPresent()) {
        return new Expr.SizeOfType(type.get().name(), from(function));
      }
    }
    expect("(");
    if (function.text().equals("$entry")) {
      return entry(function);
    }
    List<Expr> arguments = new ArrayList<>();
    if (!peek().is(")")) {
      do {
        arguments.add(binary(0));
      } while (skip(","));
    }
    expect(")");
    return function.text().equals("sizeof") && arguments.size() == 1
        ? new Expr.SizeOf(arguments.get(0), from(function))
        : scope.call(function.text(), arguments, from(function));
  }

  private Expr entry(CToken function) throws SpecifierException {
    CToken parameter = take();
    if (parameter.kind() != CToken.Kind.NAME) {
      throw unexpected(parameter, "the name of a parameter");
    }
    expect(")");
    return scope.entry(parameter.text(), from(function));
  }

  /** Decodes a number with C's prefixes and suffixes. */
  private static long number(CToken token) throws SpecifierException {
    String digits = token.text().replaceFirst("[uUlL]+$", "");
    boolean isHexadecimal = digits.startsWith("0x") || digits.startsWith("0X");
    boolean isOctal = !isHexadecimal && digits.startsWith("0") && digits.length() > 1;
    try {
      return isHexadecimal
          ? Long.parseUnsignedLong(digits.substring(2), 16)
          : Long.parseUnsignedLong(digits, isOctal ? 8 : 10);
    } catch (NumberFormatException e) {
      throw new SpecifierException(
          DiagnosticCode.OUT_OF_RANGE,
          token.slice().span(),
          token.quoted() + " is no number of 64 bits");
    }
  }
}
