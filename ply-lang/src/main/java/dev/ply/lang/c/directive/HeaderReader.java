package dev.ply.lang.c.directive;

import dev.ply.diagnostic.Source;
import dev.ply.lang.c.expression.CLexer;
import dev.ply.lang.c.expression.CToken;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens of a header and of those that it includes, without the lines that conditions exclude:
 * the C preprocessor, before macros are expanded.
 */
public final class HeaderReader {
  /** The maximum number of headers that include each other. */
  private static final int DEEPEST = 200;

  private final Directives directives;
  private final Headers headers;
  private final Set<String> once;
  private final Deque<Open> files = new ArrayDeque<>();

  /** A file that is being read. */
  private static final class Open {
    private final Source source;
    private final CLexer lexer;
    private final Deque<Condition> conditions = new ArrayDeque<>();

    Open(Source source) {
      this.source = source;
      this.lexer = new CLexer(source.name(), source.text(), 0, CLexer.Dialect.C);
    }

    boolean isActive() {
      return conditions.isEmpty() || conditions.element().isActive();
    }
  }

  /**
   * An open {@code #if}.
   *
   * @param isActive whether the following lines are read
   * @param isDecided whether a branch has been taken, or none can be
   * @param isLast whether its {@code #else} has been read
   */
  private record Condition(CToken place, boolean isActive, boolean isDecided, boolean isLast) {}

  public HeaderReader(Source header, Directives directives, Headers headers, Set<String> once) {
    this.directives = directives;
    this.headers = headers;
    this.once = once;
    open(header);
  }

  private void open(Source header) {
    if (!once.contains(header.name())) {
      files.push(new Open(header));
    }
  }

  /** Returns the next token that no condition excludes. */
  public CToken next() {
    while (true) {
      if (files.isEmpty()) {
        return new CLexer("", "", 0, CLexer.Dialect.C).next();
      }
      Open file = files.element();
      CToken token = file.lexer.next();
      if (token.isEnd()) {
        if (!file.conditions.isEmpty()) {
          CToken open = file.conditions.element().place();
          directives.error(open, "#" + open.text() + " has no #endif", "");
        }
        if (files.size() == 1) {
          return token;
        }
        files.pop();
      } else if (token.is("#") && token.isFirst()) {
        Optional<CToken> pragma = directive(file);
        if (pragma.isPresent()) {
          return pragma.get();
        }
      } else if (file.isActive()) {
        return token;
      }
    }
  }

  private Optional<CToken> directive(Open file) {
    List<CToken> line = file.lexer.line();
    if (line.isEmpty()) {
      return Optional.empty();
    }
    CToken name = line.get(0);
    List<CToken> rest = line.subList(1, line.size());
    switch (name.text()) {
      case "if" -> open(file, name, file.isActive() && isTrue(file, name, rest));
      case "ifdef" -> open(file, name, file.isActive() && directives.isDefined(name, rest));
      case "ifndef" -> open(file, name, file.isActive() && !directives.isDefined(name, rest));
      case "elif", "elifdef", "elifndef" -> alternative(file, name, rest);
      case "else" -> otherwise(file, name);
      case "endif" -> {
        if (file.conditions.isEmpty()) {
          directives.error(name, "#endif has no #if", "");
        } else {
          Condition unused = file.conditions.pop();
        }
      }
      default -> {
        return file.isActive() ? active(file, name, rest) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private boolean isTrue(Open file, CToken name, List<CToken> rest) {
    return directives.isTrue(name, rest, operand -> headers.has(file.source, operand));
  }

  private static void open(Open file, CToken name, boolean isTrue) {
    boolean isReachable = file.isActive();
    file.conditions.push(new Condition(name, isReachable && isTrue, !isReachable || isTrue, false));
  }

  private void alternative(Open file, CToken name, List<CToken> rest) {
    if (file.conditions.isEmpty() || file.conditions.element().isLast()) {
      directives.error(name, "#" + name.text() + " has no #if", "");
      return;
    }
    Condition condition = file.conditions.pop();
    boolean isTaken =
        !condition.isDecided()
            && switch (name.text()) {
              case "elifdef" -> directives.isDefined(name, rest);
              case "elifndef" -> !directives.isDefined(name, rest);
              default -> isTrue(file, name, rest);
            };
    file.conditions.push(
        new Condition(condition.place(), isTaken, condition.isDecided() || isTaken, false));
  }

  private void otherwise(Open file, CToken name) {
    if (file.conditions.isEmpty() || file.conditions.element().isLast()) {
      directives.error(name, "#else has no #if", "");
      return;
    }
    Condition condition = file.conditions.pop();
    file.conditions.push(new Condition(condition.place(), !condition.isDecided(), true, true));
  }

  private Optional<CToken> active(Open file, CToken name, List<CToken> rest) {
    switch (name.text()) {
      case "define" -> directives.define(name, rest, true);
      case "undef" -> directives.undefine(name, rest);
      case "include", "include_next", "import" -> include(file, name, rest);
      case "error", "warning" -> directives.message(name, rest);
      case "pragma" -> {
        if (!rest.isEmpty() && rest.get(0).is("once")) {
          once.add(file.source.name());
        }
        return directives.pragma(name, rest);
      }
      case "line", "ident", "sccs", "assert", "unassert" -> {}
      default -> {
        // # 12 "file" is what the preprocessor itself writes.
        if (name.kind() != CToken.Kind.NUMBER) {
          directives.error(name, "unknown directive #" + name.text(), "directives are those of C");
        }
      }
    }
    return Optional.empty();
  }

  private void include(Open file, CToken name, List<CToken> rest) {
    List<CToken> tokens =
        rest.isEmpty() || !rest.get(0).isName() ? rest : directives.expanded(rest);
    StringBuilder operand = new StringBuilder();
    tokens.forEach(token -> operand.append(token.text()));
    if (tokens.isEmpty()) {
      directives.error(name, "#include has no name", "write #include \"header.h\"");
    } else if (files.size() >= DEEPEST) {
      directives.error(name, "headers include each other more than " + DEEPEST + " deep", "");
    } else if (!name.is("include_next")) {
      List<Source> found = headers.find(file.source, operand.toString(), name.span());
      for (int i = found.size() - 1; i >= 0; i--) {
        open(found.get(i));
      }
    }
  }
}
