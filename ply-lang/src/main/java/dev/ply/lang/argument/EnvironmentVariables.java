package dev.ply.lang.argument;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.Substitution;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.VariableNames;
import dev.ply.type.TextBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Substitutes values of environment variables: a number if the whole value is one, else a string.
 */
public final class EnvironmentVariables {
  /** Words of scripts that have regard to who started a process. */
  private static final Set<String> PARENTS = Set.of("ppid", "pcomm", "parent", "real_parent");

  /** A quoted string, a parameter, or a variable that begins a part of a definition. */
  private static final Pattern PARAMETER =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|\\$([1-9][0-9]*)|(?<![\\w.$])\\$([A-Za-z_]\\w*)");

  private final ScriptArguments arguments;
  private final Diagnostics diagnostics;
  private final List<Substitution> substitutions = new ArrayList<>();
  private final ProgramOptions options;
  private final ScriptNames names = new ScriptNames();
  private final Set<String> unset = new HashSet<>();
  private final Set<String> assigned = new HashSet<>();

  /** Whether it has been reported that a PID is that of a shell. */
  private boolean isShellTold;

  public EnvironmentVariables(ScriptArguments arguments, Diagnostics diagnostics) {
    this.arguments = arguments;
    this.diagnostics = diagnostics;
    this.options = new ProgramOptions(arguments.options(), substitutions, diagnostics);
  }

  /** Adds variables that the script assigns, which are not environment variables. */
  public void addAssigned(Set<String> variables) {
    assigned.addAll(variables);
  }

  /** Returns whether the script assigns a variable, which is then none of the environment. */
  public boolean isAssigned(String variable) {
    return assigned.contains(variable);
  }

  /** Returns the names that the script has. */
  public ScriptNames names() {
    return names;
  }

  /** Returns the options that the script takes from its command line. */
  public ProgramOptions options() {
    return options;
  }

  /** Returns what timers without a unit count. */
  public ScriptArguments.TimerUnit timers() {
    return arguments.timers();
  }

  /** Returns all substitutions. */
  public List<Substitution> substitutions() {
    return substitutions;
  }

  /**
   * Returns {@code cpid}, the PID of the command that {@code -c} starts, 0 without; or {@code
   * has_cpid}, whether there is one. Empty for other names.
   */
  public Optional<Expr> child(String name, SourceSpan span) {
    Optional<ScriptArguments.Command> command = arguments.command();
    return switch (name) {
      case "cpid", "__builtin_cpid" -> {
        if (command.isEmpty() && !names.contains("has_cpid")) {
          diagnostics.warning(
              DiagnosticCode.UNSET_VARIABLE,
              span,
              "no command was started by -c: cpid is 0",
              "has_cpid tells whether there is one");
        }
        warnOfShell(name, span);
        long pid = command.map(ScriptArguments.Command::pid).orElse(0L);
        yield Optional.of(value(name, Long.toString(pid), span));
      }
      case "has_cpid" -> Optional.of(Expr.Cast.truth(command.isPresent(), span));
      default -> Optional.empty();
    };
  }

  /** Returns the value of {@code $name} at a position. */
  public Expr value(String variable, SourceSpan span) {
    if (assigned.contains(variable)) {
      return new Expr.VariableRead(variable, span);
    }
    if (!VariableNames.isVariable(variable) && variable.length() > 1) {
      return positional(variable, span);
    }
    String name = variable.substring(1);
    if (!name.isEmpty() && arguments.environment().isEmpty()) {
      // Its missing value is reported with the clause's other variables.
      return new Expr.VariableRead(variable, span);
    }
    if (name.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "\"$\" alone is not an environment variable",
          "write its name after it: $HOME");
      return new Expr.Unknown(span);
    }
    Optional<String> value = Optional.ofNullable(arguments.environment().get(name));
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
    if (name.equals("target")) {
      warnOfShell(variable, span);
    }
    return value(variable, value.orElse(""), span);
  }

  /** Warns once that a PID is that of a shell, unless the script speaks of parents. */
  private void warnOfShell(String name, SourceSpan span) {
    if (arguments.command().filter(ScriptArguments.Command::isShell).isPresent()
        && PARENTS.stream().noneMatch(names::contains)
        && !isShellTold) {
      isShellTold = true;
      diagnostics.warning(
          DiagnosticCode.OTHER_PROCESS,
          span,
          "the command of -c is more than one program: " + name + " is the PID of its shell",
          "the programs are the shell's children: ppid == " + name);
    }
  }

  /**
   * Returns the positional parameter of this number, 0 if it is not given; {@code $#} is the number
   * of parameters.
   */
  private Expr positional(String parameter, SourceSpan span) {
    if (!parameter.matches("\\$(#|[1-9]\\d{0,8})")) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "missing parameter " + Quotation.shortened(parameter),
          "the first is $1, and $# is their number");
      return new Expr.Unknown(span);
    }
    String value =
        parameter.equals("$#")
            ? Integer.toString(arguments.parameters().size())
            : parameter(parameter).orElse("0");
    return value(parameter, value, span);
  }

  /**
   * Returns a positional parameter as a string, empty if it is not given, without its first bytes.
   */
  public Expr positionalText(String parameter, long skipped, SourceSpan span) {
    String value = withoutBytes(parameter(parameter).orElse(""), skipped);
    substitutions.add(new Substitution(span, parameter, "\"" + Quotation.shortened(value) + "\""));
    return new Expr.StringLiteral(value, span);
  }

  /** Returns the value of {@code $1}, {@code $2} …, if it is given. */
  private Optional<String> parameter(String name) {
    int count = arguments.parameters().size();
    // The name may have more digits than a number.
    return IntStream.rangeClosed(1, count)
        .filter(number -> name.equals("$" + number))
        .mapToObj(number -> arguments.parameters().get(number - 1))
        .findFirst();
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(arguments.environment().get(name));
  }

  private static String withoutBytes(String text, long skipped) {
    byte[] bytes = TextBytes.encode(text);
    int from = (int) Math.max(0, Math.min(skipped, bytes.length));
    return from == 0 ? text : TextBytes.decode(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /**
   * Returns the definition of a probe with the values of its positional parameters and of variables
   * of the environment, except in quotes; empty if a parameter is not given, which is reported.
   */
  public Optional<String> inDefinition(String definition, SourceSpan span) {
    StringBuilder text = new StringBuilder();
    Matcher part = PARAMETER.matcher(definition);
    while (part.find()) {
      Optional<String> value;
      if (part.group(1) != null) {
        value = parameter(part.group());
      } else {
        value = Optional.ofNullable(part.group(2)).flatMap(this::variable);
        if (value.isEmpty()) {
          // Names of functions can have a dollar sign, too.
          continue;
        }
      }
      if (value.isEmpty()) {
        diagnostics.error(
            DiagnosticCode.UNSET_VARIABLE,
            span,
            "missing parameter " + part.group(),
            "parameters follow the program; in quotes, \"" + part.group() + "\" is a name");
        return Optional.empty();
      }
      substitutions.add(
          new Substitution(span, part.group(), "\"" + Quotation.shortened(value.get()) + "\""));
      part.appendReplacement(text, Matcher.quoteReplacement(value.get()));
    }
    return Optional.of(part.appendTail(text).toString());
  }

  private Expr value(String variable, String value, SourceSpan span) {
    Optional<Expr> number = EnvironmentNumber.of(value, span);
    String shown = number.isPresent() ? value.strip() : "\"" + Quotation.shortened(value) + "\"";
    substitutions.add(new Substitution(span, variable, shown));
    return number.orElseGet(() -> new Expr.StringLiteral(text(value), span));
  }

  private static String text(String value) {
    boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return LiteralDecoder.unescaped(isQuoted ? value.substring(1, value.length() - 1) : value);
  }
}
