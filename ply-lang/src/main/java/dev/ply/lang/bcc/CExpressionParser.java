package dev.ply.lang.bcc;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.c.expression.CLexer;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.ExpressionParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses expressions of C, which change no variable. {@code pointer@user} is one to user memory.
 */
final class CExpressionParser extends ExpressionParser<Expr, SpecifierException> {
  /** The end, names, numbers, strings and characters without a prefix, operators and brackets. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "|(?:\\$?[A-Za-z_]\\w*|@user)|\\d.*|\".*\"|'.*'|[-+*/%&|^~!<>=()\\[\\].,?:]+",
          Pattern.DOTALL);

  /** After a pointer to user memory. */
  private static final String USER = "@user";

  private final List<CToken> tokens;
  private final Scope scope;
  private int next;

  /** The first token of the operations that are being read, with its parentheses. */
  private CToken start;

  /** The meanings of what an expression names. */
  interface Scope {
    /** Returns what a name stands for. */
    Expr name(String name, SourceSpan span) throws SpecifierException;

    /** Returns the value of a call. */
    Expr call(String function, List<Expr> arguments, SourceSpan span) throws SpecifierException;

    /** Returns the value that a parameter had at the entry. */
    Expr entry(String parameter, SourceSpan span) throws SpecifierException;

    /** Returns a pointer marked as one to user memory. */
    Expr user(Expr pointer);

    /** Returns whether {@code ?:} can be written. */
    boolean hasConditions();

    /** Returns a value converted to a type. */
    Expr cast(CType type, Expr value, SourceSpan span);
  }

  private CExpressionParser(List<CToken> tokens, Scope scope) {
    this.tokens = tokens;
    this.scope = scope;
    this.start = tokens.get(0);
  }

  /** Parses a whole expression. */
  static Expr parse(Slice expression, Scope scope) throws SpecifierException {
    CExpressionParser parser = new CExpressionParser(tokens(expression), scope);
    Expr value = parser.whole();
    CToken rest = parser.peek();
    if (!rest.isEnd()) {
      throw unexpected(rest, "an operator");
    }
    return value;
  }

  private static List<CToken> tokens(Slice expression) throws SpecifierException {
    Source source = expression.source();
    String upToEnd = source.text().substring(0, expression.end());
    CLexer lexer =
        new CLexer(source.name(), upToEnd, expression.start(), CLexer.Dialect.EXPRESSION);
    List<CToken> tokens = new ArrayList<>();
    do {
      CToken token = lexer.next();
      if (!TOKEN.matcher(token.text()).matches()) {
        throw new SpecifierException(
            token.span(),
            token.is("\"") || token.is("'")
                ? "the string has no end"
                : quoted(token) + " is no part of an expression");
      }
      tokens.add(token);
    } while (!tokens.get(tokens.size() - 1).isEnd());
    return tokens;
  }

  private CToken peek() {
    return tokens.get(next);
  }

  private CToken take() {
    CToken token = tokens.get(next);
    next += token.isEnd() ? 0 : 1;
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

  private static String quoted(CToken token) {
    return token.isEnd() ? "end of expression" : "\"" + token.text() + "\"";
  }

  private static SpecifierException unexpected(CToken token, String expected) {
    String[] hints =
        switch (token.text()) {
          case "=" -> new String[] {"values are compared with =="};
          case "?" -> new String[] {"?: is not supported in specifiers, which are split at colons"};
          default -> new String[0];
        };
    return new SpecifierException(
        token.span(), "unexpected " + quoted(token) + ", expected " + expected, hints);
  }

  private SourceSpan from(CToken first) {
    return first.span().through(tokens.get(Math.max(0, next - 1)).span());
  }

  @Override
  protected SpecifierException tooDeep() {
    return new SpecifierException(peek().span(), "this is nested more than " + DEEPEST + " deep");
  }

  private Expr whole() throws SpecifierException {
    CToken outer = start;
    start = peek();
    Expr value = expression();
    if (scope.hasConditions() && skip("?")) {
      CToken first = start;
      Expr then = nested(this::whole);
      expect(":");
      Expr otherwise = nested(this::whole);
      value = new Expr.Conditional(value, Optional.of(then), otherwise, from(first));
    }
    start = outer;
    return value;
  }

  @Override
  protected Optional<BinaryOp> operator() {
    return peek().kind() == CToken.Kind.PUNCTUATOR ? operator(peek().text()) : Optional.empty();
  }

  @Override
  protected Expr operation(BinaryOp operator, Expr left) throws SpecifierException {
    deeper();
    CToken unused = take();
    CToken outer = start;
    start = peek();
    Expr right = right(operator);
    start = outer;
    return new Expr.Binary(operator, left, right, from(outer));
  }

  @Override
  protected Expr operand() throws SpecifierException {
    CToken first = peek();
    if (first.kind() == CToken.Kind.PUNCTUATOR) {
      for (UnaryOp operator : UnaryOp.values()) {
        if (skip(operator.symbol())) {
          return new Expr.Unary(operator, nested(this::operand), from(first));
        }
      }
    }
    Optional<CType> cast = cast();
    return cast.isPresent()
        ? scope.cast(cast.get(), nested(this::operand), from(first))
        : members();
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

  private Expr members() throws SpecifierException {
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
        Expr index = whole();
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
    return new Expr.Member(base, access, name.text(), name.span(), from(first));
  }

  private Expr atom() throws SpecifierException {
    CToken token = take();
    SourceSpan span = token.span();
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
          throw new SpecifierException(span, quoted(token) + " is not one character");
        }
        return new Expr.IntLiteral(character.charAt(0), span);
      }
      case NAME -> {
        Expr value = peek().is("(") ? call(token) : scope.name(token.text(), span);
        return skip(USER) ? scope.user(value) : value;
      }
      default -> {}
    }
    if (!token.is("(")) {
      throw unexpected(token, "a value");
    }
    Expr value = whole();
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
        arguments.add(whole());
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

  private static long number(CToken token) throws SpecifierException {
    return CNumber.parse(token.text(), Long.BYTES)
        .map(CNumber::value)
        .orElseThrow(
            () ->
                new SpecifierException(
                    DiagnosticCode.OUT_OF_RANGE,
                    token.span(),
                    quoted(token) + " is not a number of 64 bits"));
  }
}
