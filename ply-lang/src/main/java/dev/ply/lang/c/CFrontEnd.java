package dev.ply.lang.c;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.TypeDefinition;
import dev.ply.lang.c.declaration.CScope;
import dev.ply.lang.c.declaration.DeclarationParser;
import dev.ply.lang.c.declaration.DeclarationTokens;
import dev.ply.lang.c.declaration.PackStack;
import dev.ply.lang.c.directive.CMacro;
import dev.ply.lang.c.directive.Directives;
import dev.ply.lang.c.directive.HeaderReader;
import dev.ply.lang.c.directive.Headers;
import dev.ply.lang.c.directive.MacroExpander;
import dev.ply.lang.c.directive.MacroTable;
import dev.ply.lang.c.directive.PredefinedMacros;
import dev.ply.lang.c.expression.CLexer;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The C in a script and its headers: their directives, macros and declarations, in the order of
 * their reading. One for each parse.
 */
public final class CFrontEnd {
  /** The maximum number of tokens from macros in a script. */
  private static final int IN_SCRIPTS = 100_000;

  /** The maximum number of tokens from macros in headers. */
  private static final int IN_HEADERS = 4_000_000;

  private final MacroTable table;
  private final CScope scope;
  private final PackStack packs = new PackStack();
  private final Directives directives;
  private final Diagnostics diagnostics;
  private final Set<String> once = new HashSet<>();

  /**
   * Creates a front end.
   *
   * @param architecture whose macros are defined, and whose layouts count
   * @param release of the kernel, {@code 6.12.1}
   */
  public CFrontEnd(Architecture architecture, String release, Diagnostics diagnostics) {
    this.table = PredefinedMacros.of(architecture, release);
    this.scope = new CScope(architecture);
    this.diagnostics = diagnostics;
    this.directives = new Directives(table, diagnostics, IN_HEADERS);
  }

  /** Returns the definitions in source order. */
  public List<TypeDefinition> definitions() {
    return scope.definitions();
  }

  /** Returns the names of the constants that enumerations define. */
  public Set<String> constants() {
    return scope.constants();
  }

  /** Returns the names of typedefs. */
  public Set<String> typedefs() {
    return scope.typedefs();
  }

  /** A directive of a script: the tokens of its line, without {@code #}. */
  public static final class Line {
    private final CToken name;
    private final List<CToken> rest;

    /**
     * Reads a directive.
     *
     * @param start the offset after its {@code #}
     */
    public Line(Source script, int start) {
      List<CToken> all =
          new CLexer(script.name(), script.text(), start, CLexer.Dialect.EXPRESSION).line();
      this.name = all.isEmpty() ? new CLexer("", "", 0, CLexer.Dialect.C).next() : all.get(0);
      this.rest = all.isEmpty() ? List.of() : all.subList(1, all.size());
    }

    /** Returns whether this is a directive that stands for itself: more words are prose. */
    public boolean isOneWord() {
      return rest.size() == 1 && rest.get(0).isName();
    }

    /** Returns whether nothing follows the directive. */
    public boolean isBare() {
      return rest.isEmpty();
    }

    /** Returns whether the operand is that of an include. */
    public boolean hasHeader() {
      return !rest.isEmpty() && (rest.get(0).is("<") || rest.get(0).text().startsWith("\""));
    }

    /** Returns whether this is a pragma of layouts. */
    public boolean isLayout() {
      return !rest.isEmpty() && rest.get(0).is("pack");
    }

    /**
     * Returns whether two names follow each other, which prose has, and C only with its keywords.
     *
     * @param from the number of leading names that do not count
     */
    public boolean isProse(int from) {
      for (int i = from; i + 1 < rest.size(); i++) {
        boolean areWords =
            rest.get(i).isName()
                && rest.get(i + 1).isName()
                && !DeclarationParser.keywords().contains(rest.get(i).text())
                && !rest.get(i).is("defined");
        if (areWords) {
          return true;
        }
      }
      boolean isName = from > 0 && !rest.isEmpty() && rest.get(0).isName();
      boolean isLoud = isName && rest.get(0).text().chars().noneMatch(Character::isLowerCase);
      return isName && !isLoud && rest.size() > 1 && rest.get(1).isName();
    }
  }

  /** Defines a macro of a script. */
  public void define(Line line) {
    directives.define(line.name, line.rest, false);
  }

  /** Removes a macro. */
  public void undefine(Line line) {
    directives.undefine(line.name, line.rest);
  }

  /** Returns whether the macro that a line names is defined. */
  public boolean isDefined(Line line) {
    return directives.isDefined(line.name, line.rest);
  }

  /**
   * Returns whether the condition of a line is true.
   *
   * @param headers whether there is a header, with its quotes or brackets
   */
  public boolean isTrue(Line line, Predicate<String> headers) {
    return directives.isTrue(line.name, line.rest, headers);
  }

  /** Reports the text of an {@code #error} or {@code #warning}. */
  public void message(Line line) {
    directives.message(line.name, line.rest);
  }

  /** Returns the header of an {@code #include}, with its quotes or brackets. */
  public String operand(Line line) {
    StringBuilder text = new StringBuilder();
    List<CToken> tokens =
        !line.rest.isEmpty() && line.rest.get(0).isName()
            ? directives.expanded(line.rest)
            : line.rest;
    tokens.forEach(token -> text.append(token.text()));
    return text.toString();
  }

  /** A state of the macros: how often they had changed. */
  public int changes() {
    return table.changes();
  }

  /** Returns the macros as they are now, before a script is read. */
  public Macros macros() {
    return new Macros(table.copy(), table.changes());
  }

  /** The macros of a script, line by line. */
  public final class Macros {
    private final MacroTable then;
    private int repeated;

    private Macros(MacroTable then, int repeated) {
      this.then = then;
      this.repeated = repeated;
    }

    /** Returns whether a name begins a declaration of C where a probe could stand. */
    public boolean beginsDeclaration(Source script, int start, String word, int changes) {
      if (DeclarationParser.keywords().contains(word)) {
        return true;
      }
      advance(changes);
      boolean isMacro = then.find(word).isPresent();
      if (!isMacro && !scope.isTypedef(word)) {
        return false;
      }
      Supplier<CToken> source = source(script, start);
      CToken first = source.get();
      return DeclarationParser.keywords().contains(first.text())
          || (scope.isTypedef(first.text()) && isDeclarator(source.get()));
    }

    private boolean isDeclarator(CToken token) {
      return token.is("*") || token.is("(") || token.isName();
    }

    /**
     * Parses a declaration, and returns the offset after its end.
     *
     * @param start the offset of its first token
     * @param changes of the macros before it
     */
    public int declaration(Source script, int start, int changes) {
      advance(changes);
      DeclarationTokens tokens =
          new DeclarationTokens(source(script, start), CFrontEnd.this::applyPack);
      new DeclarationParser(tokens, scope, packs, diagnostics, true).one();
      return Math.max(tokens.end(), start + 1);
    }

    private void advance(int changes) {
      if (changes > repeated) {
        then.repeat(table, repeated, changes);
        repeated = changes;
      }
    }

    private Supplier<CToken> source(Source script, int start) {
      CLexer lexer = new CLexer(script.name(), script.text(), start, CLexer.Dialect.SCRIPT);
      return new MacroExpander(then, () -> withPragmas(lexer), IN_SCRIPTS)::next;
    }

    private CToken withPragmas(CLexer lexer) {
      while (true) {
        CToken token = lexer.next();
        if (!token.is("#") || !token.isFirst()) {
          return token;
        }
        Optional<CToken> pragma = pragma(lexer.line());
        if (pragma.isPresent()) {
          return pragma.get();
        }
      }
    }
  }

  private Optional<CToken> pragma(List<CToken> line) {
    return line.isEmpty()
        ? Optional.empty()
        : directives.pragma(line.get(0), line.subList(1, line.size()));
  }

  /** Applies a {@code #pragma} between declarations of a script. */
  public void pragma(Line line) {
    directives.pragma(line.name, line.rest).ifPresent(this::applyPack);
  }

  /** The expansion of a macro's name, up to an offset in the script. */
  public record Expansion(String text, int end) {}

  /**
   * Returns what a name in the statements of a script stands for, after all lines of the script;
   * empty if it is not a macro, or one with parameters that is not called.
   *
   * @param start the offset of the name
   * @param isBuiltIn whether the name is one of the language: then the macros of headers do not
   *     count
   */
  public Optional<Expansion> expansion(Source script, int start, String name, boolean isBuiltIn) {
    Optional<CMacro> macro = table.find(name);
    if (macro.isEmpty() || (isBuiltIn && macro.get().isFromHeader())) {
      return Optional.empty();
    }
    CLexer lexer = new CLexer(script.name(), script.text(), start, CLexer.Dialect.SCRIPT);
    CToken word = lexer.next();
    MacroExpander expander = new MacroExpander(table, lexer::next, IN_SCRIPTS);
    List<CToken> tokens = expander.of(word);
    if (tokens.size() == 1 && tokens.get(0).text().equals(name)) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    for (CToken token : tokens) {
      boolean isJoined = text.isEmpty() || (!token.isSpaced() && !wouldJoin(text, token));
      text.append(isJoined ? "" : " ").append(token.text());
    }
    return Optional.of(new Expansion(text.toString(), Math.max(expander.end(), word.end())));
  }

  private static boolean wouldJoin(StringBuilder text, CToken token) {
    char last = text.charAt(text.length() - 1);
    char first = token.text().charAt(0);
    boolean areWords =
        Character.isJavaIdentifierPart(last) && Character.isJavaIdentifierPart(first);
    boolean areOperators =
        "+-<>=&|*/!^%.:#".indexOf(last) >= 0 && "+-<>=&|*/!^%.:#".indexOf(first) >= 0;
    return areWords || areOperators;
  }

  /** Reads a header with those that it includes: its macros and its declarations. */
  public void read(Source header, Headers headers) {
    HeaderReader reader = new HeaderReader(header, directives, headers, once);
    MacroExpander expander = new MacroExpander(table, reader::next, IN_HEADERS);
    DeclarationTokens tokens = new DeclarationTokens(expander::next, this::applyPack);
    new DeclarationParser(tokens, scope, packs, diagnostics, false).all();
  }

  private void applyPack(CToken pragma) {
    CLexer lexer = new CLexer(pragma.span().source(), pragma.text(), 0, CLexer.Dialect.C);
    List<CToken> tokens = new ArrayList<>();
    for (CToken token = lexer.next(); !token.isEnd(); token = lexer.next()) {
      tokens.add(token);
    }
    if (tokens.isEmpty() || !tokens.get(0).is("pack")) {
      // The operand of a _Pragma.
      directives.pragma(pragma, tokens).ifPresent(this::applyPack);
      return;
    }
    try {
      if (!packs.apply(pragma, tokens.subList(1, tokens.size()))) {
        diagnostics.warning(
            DiagnosticCode.SYNTAX, pragma.span(), "#pragma pack(pop) has no pack(push) before it");
      }
    } catch (CSyntaxException e) {
      directives.error(pragma, String.valueOf(e.getMessage()), e.hint());
    }
  }
}
