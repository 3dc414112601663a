package dev.ply.lang;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Substitution;
import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/**
 * Puts values for the names of environment variables: a number where the whole value is one, else a
 * string.
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

  /** Finds the names that the script assigns to, which are no environment variables. */
  void findAssigned(List<Token> words) {
    for (int i = 1; i < words.size(); i++) {
      int type = words.get(i).getType();
      if (words.get(i - 1).getType() == PlyLexer.VARIABLE
          && (type == PlyLexer.ASSIGN
              || type == PlyLexer.COMPOUND_ASSIGN
              || type == PlyLexer.INCREMENT)) {
        assigned.add(words.get(i - 1).getText());
      }
    }
  }

  /** Returns what was put for what. */
  List<Substitution> substitutions() {
    return substitutions;
  }

  /** Returns what stands for {@code $name} at that place. */
  Expr value(String variable, SourceSpan span) {
    if (assigned.contains(variable)) {
      return new Expr.Unknown(span);
    }
    String name = variable.substring(1);
    if (name.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "\"$\" alone names no environment variable",
          "write its name behind it: $HOME");
      return new Expr.Unknown(span);
    }
    Optional<String> value = Optional.ofNullable(environment.get(name));
    if (value.isEmpty() && unset.add(name)) {
      diagnostics.warning(
          DiagnosticCode.UNSET_VARIABLE,
          span,
          "the environment has no variable \"" + name + "\": " + variable + " is \"\"",
          name.equals("target")
              ? "it is the number of the process that -c starts"
              : "give it a value: " + name + "=…");
    }
    return value(variable, value.orElse(""), span);
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
