package dev.ply.lang.argument;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.Substitution;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.print.ExpressionPrinter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The options that a script takes from its command line: {@code getopt("depth", 35, "description")}
 * is the value of {@code --depth=…}, or the default.
 */
public final class ProgramOptions {
  private final Map<String, String> given;
  private final List<Substitution> substitutions;
  private final Diagnostics diagnostics;
  private final Map<String, Option> options = new LinkedHashMap<>();

  /**
   * An option as a script declares it.
   *
   * @param standard the value if the option is not given, a literal; for a flag true or false
   * @param description empty if none of its uses has one
   */
  private record Option(Expr standard, boolean isFlag, String description, SourceSpan span) {
    boolean isText() {
      return standard instanceof Expr.StringLiteral;
    }

    boolean isSameAs(Option other) {
      return isFlag == other.isFlag
          && ExpressionPrinter.print(standard).equals(ExpressionPrinter.print(other.standard))
          && (description.isEmpty()
              || other.description.isEmpty()
              || description.equals(other.description));
    }
  }

  ProgramOptions(
      Map<String, String> given, List<Substitution> substitutions, Diagnostics diagnostics) {
    this.given = given;
    this.substitutions = substitutions;
    this.diagnostics = diagnostics;
  }

  /**
   * Returns the value of an option.
   *
   * @param isFlag whether the default is true or false, or there is none
   */
  public Expr value(List<Expr> arguments, boolean isFlag, SourceSpan span) {
    boolean isWellFormed =
        !arguments.isEmpty()
            && arguments.size() <= 3
            && arguments.get(0) instanceof Expr.StringLiteral
            && (arguments.size() < 2 || isLiteral(arguments.get(1)))
            && (arguments.size() < 3 || arguments.get(2) instanceof Expr.StringLiteral);
    if (!isWellFormed) {
      return wrong(
          DiagnosticCode.SYNTAX,
          span,
          "\"getopt\" takes a name, a default and a description, all of them constants",
          "write getopt(\"depth\", 35, \"the maximum depth\"), or getopt(\"all\") for a flag");
    }
    String name = ((Expr.StringLiteral) arguments.get(0)).value();
    Option option =
        new Option(
            arguments.size() > 1 ? arguments.get(1) : Expr.Cast.truth(false, span),
            isFlag,
            arguments.size() > 2 ? ((Expr.StringLiteral) arguments.get(2)).value() : "",
            span);
    Option known = options.getOrDefault(name, option);
    if (!known.isSameAs(option)) {
      return wrong(
          DiagnosticCode.DECLARED_TWICE,
          span,
          "option --" + name + " has another default or description elsewhere",
          "one macro can stand for all uses: macro " + name + "() { getopt(\"" + name + "\", …) }");
    }
    options.put(name, known.description().isEmpty() ? option : known);
    return given(name).map(value -> value(name, value, option)).orElse(option.standard());
  }

  private static boolean isLiteral(Expr expr) {
    return expr instanceof Expr.IntLiteral
        || expr instanceof Expr.StringLiteral
        || (expr instanceof Expr.Cast truth
            && truth.equals(Expr.Cast.truth(isOne(truth.operand()), truth.span())))
        || (expr instanceof Expr.Unary negated
            && negated.op() == UnaryOp.NEGATE
            && negated.operand() instanceof Expr.IntLiteral);
  }

  private static boolean isOne(Expr operand) {
    return operand instanceof Expr.IntLiteral literal && literal.value() == 1;
  }

  private Expr wrong(DiagnosticCode code, SourceSpan span, String message, String hint) {
    diagnostics.error(code, span, message, hint);
    return new Expr.Unknown(span);
  }

  private Optional<String> given(String name) {
    return Optional.ofNullable(given.get(name));
  }

  private Expr value(String name, String value, Option option) {
    SourceSpan span = option.span();
    substitutions.add(
        new Substitution(
            span, "--" + name, value.isEmpty() ? "given" : Quotation.shortened(value)));
    Optional<Expr> parsed =
        option.isFlag()
            ? flag(value).map(isOn -> Expr.Cast.truth(isOn, span))
            : option.isText() && !value.isEmpty()
                ? Optional.of(new Expr.StringLiteral(value, span))
                : EnvironmentNumber.of(value, span);
    return parsed.orElseGet(
        () ->
            wrong(
                DiagnosticCode.OUT_OF_RANGE,
                span,
                "option --"
                    + name
                    + " takes "
                    + (option.isFlag()
                        ? "true or false"
                        : option.isText() ? "a string" : "a number")
                    + (value.isEmpty() ? "" : ", not \"" + Quotation.shortened(value) + "\""),
                "it is given after the script: -- --"
                    + name
                    + "="
                    + ExpressionPrinter.print(option.standard())));
  }

  /** An option without value is on. */
  private static Optional<Boolean> flag(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "", "1", "true", "on", "yes" -> Optional.of(true);
      case "0", "false", "off", "no" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  /** Reports options that the script does not have, with those that it has: --help is one. */
  public void reportUnknown(SourceSpan script) {
    List<String> unknown =
        given.keySet().stream()
            .filter(name -> !options.containsKey(name))
            .map(name -> "--" + name)
            .sorted()
            .toList();
    if (unknown.isEmpty()) {
      return;
    }
    List<String> hints = new ArrayList<>();
    options.forEach(
        (name, option) ->
            hints.add(
                "--"
                    + name
                    + (option.isFlag() ? "" : "=" + ExpressionPrinter.print(option.standard()))
                    + (option.description().isEmpty() ? "" : ": " + option.description())));
    diagnostics.error(
        DiagnosticCode.UNKNOWN_NAME,
        options.values().stream().findFirst().map(Option::span).orElse(script),
        "unexpected program command line options: " + String.join(", ", unknown),
        hints.isEmpty()
            ? new String[] {"the script has no options; it declares one with getopt(\"name\")"}
            : hints.toArray(String[]::new));
  }
}
