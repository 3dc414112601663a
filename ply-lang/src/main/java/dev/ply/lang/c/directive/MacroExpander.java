package dev.ply.lang.c.directive;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.c.expression.CLexer;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import dev.ply.lang.c.expression.TokenReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Replaces macros by what they stand for, by the rules of the C standard: arguments are expanded
 * before they are inserted, unless they are joined ({@code ##}) or quoted ({@code #}), and no macro
 * is expanded inside of itself.
 */
public final class MacroExpander {
  /** The maximum number of calls of macros in arguments of each other. */
  private static final int DEEPEST = 60;

  private final MacroTable table;
  private final TokenReader reader;
  private final int limit;
  private final int depth;

  /**
   * Creates an expander.
   *
   * @param limit the maximum number of tokens that expansions add; further ones are left
   */
  public MacroExpander(MacroTable table, Supplier<CToken> source, int limit) {
    this(table, new TokenReader(source), limit, 0);
  }

  private MacroExpander(MacroTable table, TokenReader reader, int limit, int depth) {
    this.table = table;
    this.reader = reader;
    this.limit = limit;
    this.depth = depth;
  }

  /** Returns the next token, expanded. */
  public CToken next() {
    while (true) {
      CToken token = reader.next();
      if (!expand(token)) {
        return token;
      }
    }
  }

  /** Returns what a token stands for, with the arguments that follow it in the source. */
  public List<CToken> of(CToken name) {
    List<CToken> result = new ArrayList<>();
    reader.push(List.of(name));
    while (reader.hasPending()) {
      CToken token = reader.next();
      if (!expand(token)) {
        result.add(token);
      }
    }
    return result;
  }

  /** Returns the offset in the source after the last token that has been read. */
  public int end() {
    return reader.end();
  }

  private List<CToken> all(List<CToken> tokens) {
    if (depth == DEEPEST) {
      return tokens;
    }
    TokenReader inner = new TokenReader(MacroExpander::nothing);
    inner.push(tokens);
    MacroExpander expander = new MacroExpander(table, inner, limit, depth + 1);
    List<CToken> result = new ArrayList<>();
    for (CToken token = expander.next(); !token.isEnd(); token = expander.next()) {
      result.add(token);
    }
    return result;
  }

  private static CToken nothing() {
    return new CToken(Kind.END, "", SourceSpan.NONE, 0, 0, true, false, Set.of());
  }

  private boolean expand(CToken token) {
    if (!token.isName() || token.hidden().contains(token.text())) {
      return false;
    }
    Optional<CMacro> macro = table.find(token.text());
    if (macro.isEmpty()) {
      return MacroTable.DYNAMIC.contains(token.text()) && dynamic(token);
    }
    return macro.get().parameters().isEmpty()
        ? object(token, macro.get())
        : function(token, macro.get());
  }

  private boolean dynamic(CToken token) {
    CToken value =
        switch (token.text()) {
          case "__LINE__" -> token.as(Kind.NUMBER, "" + token.span().line());
          case "__COUNTER__" -> token.as(Kind.NUMBER, "" + table.count());
          default -> token.as(Kind.STRING, quoted(token.span().source()));
        };
    reader.push(List.of(value));
    return true;
  }

  private boolean object(CToken token, CMacro macro) {
    if (!table.mayAdd(macro.body().size(), limit)) {
      return false;
    }
    Set<String> hidden = new HashSet<>(token.hidden());
    hidden.add(macro.name());
    push(token, joined(macro.body()), hidden);
    return true;
  }

  private boolean function(CToken token, CMacro macro) {
    int before = reader.end();
    CToken open = reader.next();
    if (!open.is("(")) {
      reader.unread(open, before);
      return false;
    }
    List<CToken> taken = new ArrayList<>(List.of(open));
    List<List<CToken>> arguments = new ArrayList<>();
    List<CToken> argument = new ArrayList<>();
    int parentheses = 0;
    while (true) {
      CToken next = reader.next();
      if (next.isEnd()) {
        reader.push(taken);
        return false;
      }
      taken.add(next);
      if (next.is(")") && parentheses == 0) {
        break;
      }
      parentheses += next.is("(") ? 1 : next.is(")") ? -1 : 0;
      boolean isRest =
          macro.isVariadic() && arguments.size() >= macro.parameters().orElseThrow().size() - 1;
      if (next.is(",") && parentheses == 0 && !isRest) {
        arguments.add(argument);
        argument = new ArrayList<>();
      } else {
        argument.add(next);
      }
    }
    arguments.add(argument);
    List<String> parameters = macro.parameters().orElseThrow();
    if (parameters.isEmpty() && arguments.size() == 1 && argument.isEmpty()) {
      arguments.clear();
    }
    if (macro.isVariadic() && arguments.size() == parameters.size() - 1) {
      arguments.add(List.of());
    }
    List<CToken> body =
        arguments.size() == parameters.size() ? substituted(macro, arguments) : List.of();
    if (arguments.size() != parameters.size() || !table.mayAdd(body.size(), limit)) {
      reader.push(taken);
      return false;
    }
    Set<String> hidden = new HashSet<>(token.hidden());
    hidden.retainAll(taken.get(taken.size() - 1).hidden());
    hidden.add(macro.name());
    push(token, body, hidden);
    return true;
  }

  private void push(CToken use, List<CToken> body, Set<String> hidden) {
    List<CToken> tokens = new ArrayList<>();
    for (CToken token : body) {
      Set<String> hiding = hidden;
      if (!hidden.containsAll(token.hidden())) {
        hiding = new HashSet<>(hidden);
        hiding.addAll(token.hidden());
      }
      CToken moved = token.at(use, hiding);
      tokens.add(tokens.isEmpty() ? moved.spacedAs(use) : moved);
    }
    reader.push(tokens);
  }

  private List<CToken> substituted(CMacro macro, List<List<CToken>> arguments) {
    List<CToken> result = new ArrayList<>();
    List<CToken> body = macro.body();
    for (int i = 0; i < body.size(); i++) {
      CToken token = body.get(i);
      CToken next = i + 1 < body.size() ? body.get(i + 1) : nothing();
      if (token.is("#") && macro.parameter(next) >= 0) {
        String text = text(arguments.get(macro.parameter(next)));
        result.add(token.as(Kind.STRING, quoted(text)));
        i++;
        continue;
      }
      if (token.is("__VA_OPT__") && macro.isVariadic() && next.is("(")) {
        int close = closing(body, i + 1);
        if (!arguments.get(arguments.size() - 1).isEmpty()) {
          CMacro part =
              new CMacro(
                  macro.name(),
                  macro.parameters(),
                  true,
                  body.subList(i + 2, close),
                  macro.isFromHeader());
          result.addAll(substituted(part, arguments));
        }
        i = close;
        continue;
      }
      int parameter = macro.parameter(token);
      if (parameter < 0) {
        result.add(token);
        continue;
      }
      List<CToken> argument = arguments.get(parameter);
      boolean isAfter = i > 0 && body.get(i - 1).is("##");
      boolean isRest = macro.isVariadic() && parameter == arguments.size() - 1;
      if (isAfter && isRest && i > 1 && body.get(i - 2).is(",")) {
        // GCC's comma before the rest, which is not there if the rest is empty.
        result.remove(result.size() - 1);
        if (argument.isEmpty()) {
          result.remove(result.size() - 1);
        }
        result.addAll(all(argument));
      } else if (isAfter || next.is("##")) {
        // An empty argument still takes part in the joining.
        result.addAll(argument.isEmpty() ? List.of(token.as(Kind.PUNCTUATOR, "")) : argument);
      } else {
        List<CToken> expanded = all(argument);
        for (int k = 0; k < expanded.size(); k++) {
          result.add(k == 0 ? expanded.get(0).spacedAs(token) : expanded.get(k));
        }
      }
    }
    return joined(result);
  }

  private static int closing(List<CToken> body, int open) {
    int depth = 0;
    for (int i = open; i < body.size(); i++) {
      depth += body.get(i).is("(") ? 1 : body.get(i).is(")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return body.size() - 1;
  }

  /** Joins the tokens around each {@code ##}. */
  private static List<CToken> joined(List<CToken> tokens) {
    if (tokens.stream().noneMatch(token -> token.is("##") || token.text().isEmpty())) {
      return tokens;
    }
    List<CToken> result = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).is("##") && !result.isEmpty() && i + 1 < tokens.size()) {
        CToken left = result.remove(result.size() - 1);
        String text = left.text() + tokens.get(++i).text();
        CLexer lexer = new CLexer("", text, 0, CLexer.Dialect.C);
        for (CToken part = lexer.next(); !part.isEnd(); part = lexer.next()) {
          result.add(left.as(part.kind(), part.text()));
        }
        if (text.isEmpty()) {
          result.add(left);
        }
      } else {
        result.add(tokens.get(i));
      }
    }
    result.removeIf(token -> token.text().isEmpty());
    return result;
  }

  /** Returns tokens as source text, separated by single spaces. */
  static String text(List<CToken> tokens) {
    StringBuilder text = new StringBuilder();
    for (CToken token : tokens) {
      text.append(token.isSpaced() && !text.isEmpty() ? " " : "").append(token.text());
    }
    return text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
