package dev.ply.lang;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Substitution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/**
 * Substitutes values of environment variables: a number if the whole value is one, else a string.
 */
final class EnvironmentVariables {
  private final Map<String, String> environment;
  private final Diagnostics diagnostics;
  private final List<Substitution> substitutions = new ArrayList<>();
  private final Set<String> unset = new HashSet<>();
  private final Set<String> assigned = new HashSet<>();

  EnvironmentVariables(Map<String, String> environment, Diagnostics diagnostics) {
    this.environment = environment;
    this.diagnostics = diagnostics;
  }

  /** Finds the variables that the script assigns, which are no environment variables. */
  void findAssigned(List<Token> words) {
    assigned.addAll(ContextualTokens.assignedVariables(words));
  }

  /** Returns all substitutions. */
  List<Substitution> substitutions() {
    return substitutions;
  }

  /** Returns the value of {@code $name} at a position. */
  Expr value(String variable, SourceSpan span) {
    if (assigned.contains(variable)) {
      return new Expr.VariableRead(variable, span);
    }
    if (!ContextualTokens.isVariableName(variable) && variable.length() > 1) {
      return positional(variable, span);
    }
    String name = variable.substring(1);
    if (name.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "\"$\" alone names no environment variable",
          "write its name after it: $HOME");
      return new Expr.Unknown(span);
    }
    Optional<String> value = Optional.ofNullable(environment.get(name));
    if (value.isEmpty() && unset.add(name)) {
      diagnostics.warning(
          DiagnosticCode.UNSET_VARIABLE,
          span,
          "the environment has no variable \"" + name + "\": " + variable + " is \"\"",
          name.equals("target")
              ? new String[] {"it is the PID of the process that -c starts"}
              : Suggestions.hint(
                  variable,
                  assigned.stream(),
                  "give it a value: " + name + "=…; or make it a variable: " + variable + " = …;"));
    }
    return value(variable, value.orElse(""), span);
  }

  /**
   * Returns the positional parameter of this number, 0 if it is not given; {@code $#} is the number
   * of parameters.
   */
  private Expr positional(String parameter, SourceSpan span) {
    return value(parameter, environment.getOrDefault(parameter.substring(1), "0"), span);
  }

  /** Returns a positional parameter as a string, empty if it is not given. */
  Expr positionalText(String parameter, SourceSpan span) {
    String value = environment.getOrDefault(parameter.substring(1), "");
    substitutions.add(
        new Substitution(span, parameter, "\"" + SyntaxProblem.shortened(value) + "\""));
    return new Expr.StringLiteral(value, span);
  }

  private Expr value(String variable, String value, SourceSpan span) {
    Optional<Expr> number = EnvironmentNumber.of(value, span);
    String shown =
        number.isPresent() ? value.strip() : "\"" + SyntaxProblem.shortened(value) + "\"";
    substitutions.add(new Substitution(span, variable, shown));
    return number.orElseGet(() -> new Expr.StringLiteral(text(value), span));
  }

  private static String text(String value) {
    boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return LiteralDecoder.unescaped(isQuoted ? value.substring(1, value.length() - 1) : value);
  }
}
