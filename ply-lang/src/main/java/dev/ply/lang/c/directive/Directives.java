package dev.ply.lang.c.directive;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import dev.ply.lang.c.expression.ConstantExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Applies directives to macros, and evaluates their conditions. */
public final class Directives {
  /** Pragmas that change no layout. */
  private static final Set<String> HARMLESS =
      Set.of(
          "once",
          "GCC",
          "message",
          "weak",
          "region",
          "endregion",
          "STDC",
          "mark",
          "comment",
          "warning",
          "redefine_extname",
          "omp",
          "unroll",
          "nounroll",
          "ident",
          "push_macro",
          "pop_macro",
          "intrinsic",
          "optimize",
          "no_builtin",
          "clang");

  private final MacroTable table;
  private final Diagnostics diagnostics;
  private final int limit;

  public Directives(MacroTable table, Diagnostics diagnostics, int limit) {
    this.table = table;
    this.diagnostics = diagnostics;
    this.limit = limit;
  }

  /**
   * Defines a macro.
   *
   * @param tokens what follows {@code #define}
   * @param isFromHeader whether a header defines it
   */
  public void define(CToken place, List<CToken> tokens, boolean isFromHeader) {
    if (tokens.isEmpty() || !tokens.get(0).isName()) {
      error(place, "#define has no name", "write #define NAME value");
      return;
    }
    CToken name = tokens.get(0);
    if (name.is("defined")) {
      error(name, "\"defined\" cannot be defined", "write #define NAME value");
      return;
    }
    boolean isFunction = tokens.size() > 1 && tokens.get(1).is("(") && !tokens.get(1).isSpaced();
    if (!isFunction) {
      List<CToken> body = tokens.subList(1, tokens.size());
      table.define(
          new CMacro(
              name.text(),
              Optional.empty(),
              false,
              isFromHeader ? body : withoutComment(body, Set.of()),
              isFromHeader));
      return;
    }
    List<String> parameters = new ArrayList<>();
    boolean isVariadic = false;
    int at = 2;
    while (at < tokens.size() && !tokens.get(at).is(")")) {
      CToken token = tokens.get(at++);
      boolean isRest = token.is("...");
      if (isVariadic || !(token.isName() || isRest)) {
        error(token, "unexpected \"" + token.text() + "\" among the parameters", form());
        return;
      }
      if (isRest) {
        parameters.add("__VA_ARGS__");
      } else {
        parameters.add(token.text());
      }
      isVariadic = isRest;
      if (!isRest && at < tokens.size() && tokens.get(at).is("...")) {
        isVariadic = true;
        at++;
      }
      if (at < tokens.size() && tokens.get(at).is(",")) {
        at++;
      } else if (at < tokens.size() && !tokens.get(at).is(")")) {
        error(
            tokens.get(at),
            "unexpected \"" + tokens.get(at).text() + "\" among the parameters",
            form());
        return;
      }
    }
    if (at >= tokens.size()) {
      error(place, "the parameters of \"" + name.text() + "\" are not closed", form());
      return;
    }
    List<CToken> body = tokens.subList(at + 1, tokens.size());
    table.define(
        new CMacro(
            name.text(),
            Optional.of(parameters),
            isVariadic,
            isFromHeader ? body : withoutComment(body, Set.copyOf(parameters)),
            isFromHeader));
  }

  private static String form() {
    return "write #define NAME(a, b) ((a) + (b))";
  }

  /** In scripts {@code #} begins a comment, unless it is C's operator. */
  private static List<CToken> withoutComment(List<CToken> body, Set<String> parameters) {
    for (int i = 0; i < body.size(); i++) {
      boolean isOperator = i + 1 < body.size() && parameters.contains(body.get(i + 1).text());
      if (body.get(i).is("#") && !isOperator) {
        return body.subList(0, i);
      }
    }
    return body;
  }

  public void undefine(CToken place, List<CToken> tokens) {
    if (tokens.isEmpty() || !tokens.get(0).isName()) {
      error(place, "#undef has no name", "write #undef NAME");
      return;
    }
    table.undefine(tokens.get(0).text());
  }

  /** Returns whether the macro of an {@code #ifdef} is defined. */
  public boolean isDefined(CToken place, List<CToken> tokens) {
    if (tokens.isEmpty() || !tokens.get(0).isName()) {
      error(place, "#" + place.text() + " has no name", "write #" + place.text() + " NAME");
      return false;
    }
    return table.isDefined(tokens.get(0).text());
  }

  /** Returns whether the condition of an {@code #if} is true. */
  public boolean isTrue(CToken place, List<CToken> tokens, Predicate<String> headers) {
    try {
      if (tokens.isEmpty()) {
        throw new CSyntaxException(place, "#" + place.text() + " has no condition", "");
      }
      List<CToken> known = answered(tokens);
      return new ConditionExpression(answered(expanded(known)), headers).isTrue();
    } catch (CSyntaxException e) {
      CToken at = e.token().isEnd() ? place : e.token();
      boolean isPlain = String.valueOf(e.getMessage()).startsWith("unexpected");
      error(
          isPlain || e.token().isEnd() ? place : at,
          "cannot evaluate the condition of #"
              + place.text()
              + (isPlain || e.token().isEnd() ? "" : ": " + e.getMessage()),
          "conditions have numbers, constants, defined(NAME), and C's operators");
      return false;
    }
  }

  /** Replaces {@code defined NAME}; the end is the last. */
  private List<CToken> answered(List<CToken> tokens) throws CSyntaxException {
    List<CToken> result = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      int count = ConditionExpression.unexpanded(tokens, i);
      if (count == 0) {
        result.add(tokens.get(i));
      } else if (tokens.get(i).is("defined")) {
        List<CToken> operand = tokens.subList(i + 1, Math.min(tokens.size(), i + count));
        List<CToken> names = operand.stream().filter(CToken::isName).toList();
        if (names.size() != 1 || (operand.size() != 1 && operand.size() != 3)) {
          throw ConstantExpression.unexpected(tokens.get(i));
        }
        boolean isDefined = table.isDefined(names.get(0).text());
        result.add(ConditionExpression.answer(tokens.get(i), isDefined));
        i += count - 1;
      } else {
        for (CToken token : tokens.subList(i, Math.min(tokens.size(), i + count))) {
          result.add(token.hiding(Set.of(token.text())));
        }
        i += count - 1;
      }
    }
    CToken end = nothing();
    if (result.isEmpty() || !result.get(result.size() - 1).isEnd()) {
      result.add(end);
    }
    return result;
  }

  private static CToken nothing() {
    return new CToken(Kind.END, "", SourceSpan.NONE, 0, 0, true, false, Set.of());
  }

  /** Returns tokens with macros expanded, up to the end. */
  public List<CToken> expanded(List<CToken> tokens) {
    int[] next = {0};
    Supplier<CToken> source = () -> next[0] < tokens.size() ? tokens.get(next[0]++) : nothing();
    MacroExpander expander = new MacroExpander(table, source, limit);
    List<CToken> result = new ArrayList<>();
    for (CToken token = expander.next(); !token.isEnd(); token = expander.next()) {
      result.add(token);
    }
    return result;
  }

  /** Reports the text of an {@code #error}, or of a {@code #warning}. */
  public void message(CToken place, List<CToken> tokens) {
    String text = "#" + place.text() + " " + MacroExpander.text(tokens);
    if (place.is("error")) {
      diagnostics.error(DiagnosticCode.SYNTAX, place.span(), text.strip());
    } else {
      diagnostics.warning(DiagnosticCode.SYNTAX, place.span(), text.strip());
    }
  }

  /**
   * Returns the text of a pragma that changes layouts; reports one that could and is not known.
   *
   * @param tokens what follows {@code #pragma}
   */
  public Optional<CToken> pragma(CToken place, List<CToken> tokens) {
    if (tokens.isEmpty()) {
      return Optional.empty();
    }
    CToken first = tokens.get(0);
    if (first.is("pack")) {
      List<CToken> all = new ArrayList<>(List.of(first));
      all.addAll(expanded(tokens.subList(1, tokens.size())));
      return Optional.of(place.as(Kind.PRAGMA, MacroExpander.text(all)));
    }
    String text = MacroExpander.text(tokens);
    boolean changesLayouts =
        first.is("clang") && (text.contains("packed") || text.contains("aligned"));
    if (!HARMLESS.contains(first.text()) || changesLayouts) {
      error(
          place,
          "#pragma " + text + " is not known here",
          "it could change the layout of types; #pragma pack is supported");
    }
    return Optional.empty();
  }

  public void error(CToken place, String message, String hint) {
    diagnostics.error(DiagnosticCode.SYNTAX, place.span(), message, hint);
  }
}
