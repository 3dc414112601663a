package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.lang.declare.Macro;
import dev.ply.lang.declare.Macro.Kind;
import dev.ply.lang.declare.Macros;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.MapNames;
import dev.ply.lang.token.Positions;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;

/**
 * What names mean at a point of a macro's body: parameters are what the call passed, variables are
 * those of this expansion, and maps have to be passed. Outside of macros, all names mean
 * themselves.
 */
final class MacroScope {
  private final Positions positions;
  private final Diagnostics diagnostics;
  private final Macros macros;
  private final NameResolver names;
  private final EnvironmentVariables variables;
  private Optional<Expansion> current = Optional.empty();

  /**
   * What a call passed for a parameter.
   *
   * @param scope the expansion in which it is evaluated; empty outside of macros
   */
  record Passed(PlyParser.ExpressionContext expression, Optional<Expansion> scope) {
    /** Returns its source text. */
    String text() {
      return expression
          .getStart()
          .getInputStream()
          .getText(
              Interval.of(
                  expression.getStart().getStartIndex(), expression.getStop().getStopIndex()));
    }
  }

  MacroScope(
      Positions positions,
      Diagnostics diagnostics,
      Macros macros,
      NameResolver names,
      EnvironmentVariables variables) {
    this.positions = positions;
    this.diagnostics = diagnostics;
    this.macros = macros;
    this.names = names;
    this.variables = variables;
  }

  /** Returns what was passed for a parameter, or a parameter's parameter. */
  Optional<Passed> passed(String name) {
    Optional<Expansion> scope = current;
    return scope
        .flatMap(expansion -> expansion.argument(name))
        .map(argument -> passed(argument, scope.get().caller()));
  }

  private static Passed passed(PlyParser.ExpressionContext expression, Optional<Expansion> scope) {
    Passed passed = new Passed(expression, scope);
    Optional<Token> name = loneToken(expression);
    while (passed.scope().isPresent() && name.isPresent()) {
      Optional<PlyParser.ExpressionContext> outer =
          passed.scope().get().argument(name.get().getText());
      if (outer.isEmpty()) {
        return passed;
      }
      passed = new Passed(outer.get(), passed.scope().get().caller());
      name = loneToken(outer.get());
    }
    return passed;
  }

  /** Returns the token of an expression that is a single one. */
  private static Optional<Token> loneToken(PlyParser.ExpressionContext expression) {
    return expression.getStart() == expression.getStop()
        ? Optional.of(expression.getStart())
        : Optional.empty();
  }

  /** Evaluates what was passed, where names mean what they mean to the caller. */
  <T> T in(Passed passed, Function<PlyParser.ExpressionContext, T> evaluation) {
    Optional<Expansion> before = current;
    current = passed.scope();
    try {
      return evaluation.apply(passed.expression());
    } finally {
      current = before;
    }
  }

  /** Evaluates an expression, or what was passed if it is a parameter. */
  <T> T resolve(
      PlyParser.ExpressionContext expression, Function<PlyParser.ExpressionContext, T> evaluation) {
    return in(passed(expression, current), evaluation);
  }

  /** Evaluates the body of a macro. */
  <T> T in(Expansion expansion, Function<Expansion, T> evaluation) {
    Optional<Expansion> before = current;
    current = Optional.of(expansion);
    try {
      return evaluation.apply(expansion);
    } finally {
      current = before;
    }
  }

  Optional<Expansion> current() {
    return current;
  }

  /** Returns the name that a variable has in the clause. */
  String variable(String name) {
    Optional<Passed> passed = passed(name);
    if (passed.isPresent()) {
      return in(passed.get(), expression -> variable(expression.getText()));
    }
    return current.map(scope -> scope.variable(name, variables.names()::renamed)).orElse(name);
  }

  /** Returns the name of a new variable that holds what a function returns. */
  String result(Macro function) {
    return variables.names().result(function.name());
  }

  /** Returns the name of a new variable, similar to this one, that nothing in the script has. */
  String unused(String variable) {
    return variables.names().unused(variable);
  }

  /** Returns the name of the map that was passed for a parameter. */
  Optional<String> passedMap(String name) {
    return passed(name)
        .filter(this::isMap)
        .map(passed -> in(passed, expression -> map(expression.getStart())));
  }

  /** Returns the name of a map in the script; in a macro, it has to be passed. */
  String map(Token token) {
    String name = MapNames.of(token);
    Optional<String> passed = passedMap(name);
    if (passed.isEmpty() && current.isPresent() && current.get().macro().types().isEmpty()) {
      Macro macro = current.get().macro();
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          positions.of(token),
          "map \"" + name + "\" is not passed to macro \"" + macro.name() + "\"",
          "macros see the maps they are called with: macro "
              + macro.name()
              + "(@map) { … } and "
              + macro.name()
              + "("
              + name
              + ")");
    }
    return passed.orElse(name);
  }

  /** Returns whether what was passed is a map as a whole. */
  boolean isMap(Passed passed) {
    return in(passed, this::kind) == Kind.MAP;
  }

  /** Returns whether a call is one of a macro; else it may be one of a built-in. */
  boolean isMacro(String name, List<PlyParser.ExpressionContext> arguments, boolean isCall) {
    return macros.isKnown(name)
        && (macros.find(name, kinds(arguments)).isPresent() || !names.isBuiltIn(name, isCall));
  }

  /** Returns the macro that is called, or reports that none of its name fits. */
  Optional<Macro> find(String name, List<PlyParser.ExpressionContext> arguments, SourceSpan call) {
    Optional<Macro> macro = macros.find(name, kinds(arguments));
    if (macro.isEmpty()) {
      macros.reportMismatch(
          name, kinds(arguments), arguments.stream().map(positions::of).toList(), call);
      return Optional.empty();
    }
    for (Optional<Expansion> open = current; open.isPresent(); open = open.get().caller()) {
      if (open.get().macro().equals(macro.get())) {
        diagnostics.error(
            DiagnosticCode.SYNTAX,
            call,
            macro.get().noun()
                + " \""
                + name
                + (macro.get().types().isPresent() ? "\" calls itself: " : "\" expands to itself: ")
                + Expansion.chain(current, macro.get()),
            macro.get().noun()
                + "s are expanded where they are called, so they cannot be recursive");
        return Optional.empty();
      }
    }
    return macro.filter(found -> macros.expand(found, call));
  }

  /** Returns the macro that a call stands for, unless it is being expanded; reports nothing. */
  Optional<Macro> expandable(String name, List<PlyParser.ExpressionContext> arguments) {
    Optional<Macro> macro =
        macros.find(name, kinds(arguments)).filter(found -> found.types().isEmpty());
    for (Optional<Expansion> open = current; open.isPresent(); open = open.get().caller()) {
      if (macro.equals(Optional.of(open.get().macro()))) {
        return Optional.empty();
      }
    }
    return macro;
  }

  /** Counts an expansion, and returns whether it is allowed. */
  boolean expand(Macro macro, SourceSpan call) {
    return macros.expand(macro, call);
  }

  private List<Kind> kinds(List<PlyParser.ExpressionContext> arguments) {
    return arguments.stream().map(argument -> resolve(argument, this::kind)).toList();
  }

  private Kind kind(PlyParser.ExpressionContext argument) {
    Optional<Token> token = loneToken(argument);
    if (token.isEmpty()) {
      return Kind.EXPRESSION;
    }
    String name = token.get().getText();
    return switch (token.get().getType()) {
      case PlyLexer.AGGREGATION -> Kind.MAP;
      case PlyLexer.NAME -> names.isMap(name) ? Kind.MAP : Kind.EXPRESSION;
      case PlyLexer.VARIABLE -> variables.isAssigned(name) ? Kind.VARIABLE : Kind.EXPRESSION;
      default -> Kind.EXPRESSION;
    };
  }
}
