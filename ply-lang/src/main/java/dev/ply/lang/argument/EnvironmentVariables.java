package dev.ply.lang.argument;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.RenamedVariable;
import dev.ply.ir.Substitution;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.TokenSequence;
import dev.ply.lang.token.VariableNames;
import dev.ply.type.TextBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;

/**
 * Substitutes values of environment variables: a number if the whole value is one, else a string.
 */
public final class EnvironmentVariables {
  /** Words of scripts that have regard to who started a process. */
  private static final Set<String> PARENTS = Set.of("ppid", "pcomm", "parent", "real_parent");

  /** The name of the PID of the command that the tracer started. */
  public static final String CHILD = "-c";

  /** There, with any value, if the command is run by a shell. */
  public static final String SHELL = "-sh";

  /** There, with any value, if timers without a unit are in nanoseconds. */
  public static final String NANOSECONDS = "-ns";

  /** What stands in quotes, or a parameter. */
  private static final Pattern PARAMETER =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|\\$([1-9][0-9]*)");

  private final Map<String, String> environment;
  private final boolean hasEnvironment;
  private final Diagnostics diagnostics;
  private final List<Substitution> substitutions = new ArrayList<>();
  private final ProgramOptions options;
  private final Set<String> unset = new HashSet<>();
  private final Set<String> assigned = new HashSet<>();

  /** Whether it has been told that a PID is that of a shell. */
  private boolean isShellTold;

  /** All words of the script. */
  private final Set<String> names = new HashSet<>();

  private final List<RenamedVariable> renamed = new ArrayList<>();

  private int next = 1;

  public EnvironmentVariables(Map<String, String> environment, Diagnostics diagnostics) {
    this.environment = environment;
    this.diagnostics = diagnostics;
    this.hasEnvironment =
        environment.keySet().stream().anyMatch(EnvironmentVariables::isEnvironmentName);
    this.options = new ProgramOptions(environment, substitutions, diagnostics);
  }

  /** Parameters have numbers, options dashes. */
  private static boolean isEnvironmentName(String name) {
    return !name.isEmpty()
        && !name.equals(CHILD)
        && (name.charAt(0) == '_' || Character.isLetter(name.charAt(0)));
  }

  /** Finds the variables that the script assigns, which are no environment variables. */
  public void findAssigned(List<Token> words) {
    assigned.addAll(VariableNames.assignedIn(new TokenSequence(words)));
    words.forEach(word -> names.add(word.getText()));
  }

  /** Returns whether the script assigns a variable, which is then none of the environment. */
  public boolean isAssigned(String variable) {
    return assigned.contains(variable);
  }

  /** Returns the name that a variable of a macro or function has in the clause. */
  public String renamed(String variable) {
    String name = unused(variable);
    renamed.add(RenamedVariable.of(name, variable));
    return name;
  }

  /** Returns the name of the variable that holds what a function returns. */
  public String result(String function) {
    String name = unused("$" + function);
    renamed.add(RenamedVariable.result(name, function));
    return name;
  }

  /** Returns the variables whose names the script writes otherwise. */
  public List<RenamedVariable> renamed() {
    return renamed;
  }

  /** Returns a name, similar to a variable's, that nothing in the script has. */
  public String unused(String variable) {
    String name = variable + "_" + next++;
    while (!names.add(name)) {
      name = variable + "_" + next++;
    }
    return name;
  }

  /** Returns the options that the script takes from its command line. */
  public ProgramOptions options() {
    return options;
  }

  /** Returns whether timers without a unit are in nanoseconds. */
  public boolean isInNanoseconds() {
    return environment.containsKey(NANOSECONDS);
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
    Optional<String> pid = Optional.ofNullable(environment.get(CHILD));
    return switch (name) {
      case "cpid", "__builtin_cpid" -> {
        if (pid.isEmpty() && !names.contains("has_cpid")) {
          diagnostics.warning(
              DiagnosticCode.UNSET_VARIABLE,
              span,
              "no command was started by -c: cpid is 0",
              "has_cpid tells whether there is one");
        }
        warnOfShell(name, span);
        yield Optional.of(value(name, pid.orElse("0"), span));
      }
      case "has_cpid" -> Optional.of(Expr.Cast.truth(pid.isPresent(), span));
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
    if (!name.isEmpty() && !hasEnvironment) {
      // Its missing value is told with the clause's other variables.
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
    if (name.equals("target")) {
      warnOfShell(variable, span);
    }
    return value(variable, value.orElse(""), span);
  }

  /** Warns once that a PID is that of a shell, unless the script speaks of parents. */
  private void warnOfShell(String name, SourceSpan span) {
    if (environment.containsKey(SHELL) && Collections.disjoint(names, PARENTS) && !isShellTold) {
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
    return value(parameter, environment.getOrDefault(parameter.substring(1), "0"), span);
  }

  /**
   * Returns a positional parameter as a string, empty if it is not given, without its first bytes.
   */
  public Expr positionalText(String parameter, long skipped, SourceSpan span) {
    String value = withoutBytes(environment.getOrDefault(parameter.substring(1), ""), skipped);
    substitutions.add(new Substitution(span, parameter, "\"" + Quotation.shortened(value) + "\""));
    return new Expr.StringLiteral(value, span);
  }

  private static String withoutBytes(String text, long skipped) {
    byte[] bytes = TextBytes.encode(text);
    int from = (int) Math.max(0, Math.min(skipped, bytes.length));
    return from == 0 ? text : TextBytes.decode(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /**
   * Returns the definition of a probe with the values of its positional parameters, except in
   * quotes; empty if one is not given, which is reported.
   */
  public Optional<String> inDefinition(String definition, SourceSpan span) {
    StringBuilder text = new StringBuilder();
    Matcher part = PARAMETER.matcher(definition);
    while (part.find()) {
      if (part.group(1) == null) {
        continue;
      }
      Optional<String> value = Optional.ofNullable(environment.get(part.group(1)));
      if (value.isEmpty()) {
        diagnostics.error(
            DiagnosticCode.BAD_PROBE_DEFINITION,
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
