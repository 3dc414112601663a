package dev.ply.lang.bcc;

import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.target.HeaderConstants;
import dev.ply.type.TextBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The meanings of names in a specifier's expressions: its parameters, and the tool's variables. */
final class SpecifierScope implements CExpressionParser.Scope {
  private final ProbedFunction probe;
  private final Variables variables;

  /** What a tool's expressions can name beside parameters. */
  interface Variables {
    /** Returns what a name stands for; empty if it is no variable. */
    Optional<Expr> value(String name, SourceSpan span) throws SpecifierException;

    /** Returns their names, with those of the values that parameters had at the entry. */
    List<String> names();

    /** Returns whether a parameter's value at the entry can be named at the return. */
    boolean haveEntries();

    /** Returns whether expressions can have {@code ?:}: argdist splits specifiers at colons. */
    boolean haveConditions();
  }

  SpecifierScope(ProbedFunction probe, Variables variables) {
    this.probe = probe;
    this.variables = variables;
  }

  @Override
  public Expr name(String name, SourceSpan span) throws SpecifierException {
    Optional<Expr> variable = variables.value(name, span);
    if (variable.isPresent()) {
      return variable.get();
    }
    if (name.equals("true") || name.equals("false") || name.equals("NULL")) {
      return new Expr.IntLiteral(name.equals("true") ? 1 : 0, span);
    }
    int parameter = parameter(name);
    if (parameter >= 0 && probe.kind() == ProbedFunction.Kind.ENTRY) {
      return argument(parameter, new Expr.Argument(parameter, span), span);
    }
    if (parameter >= 0 && probe.kind() == ProbedFunction.Kind.RETURN) {
      throw new SpecifierException(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          span,
          "parameter \"" + name + "\" is gone when the function returns",
          variables.haveEntries()
              ? "its value at the entry is $entry(" + name + ")"
              : "a probe on the entry has it: p instead of r");
    }
    Optional<Expr> own =
        switch (probe.kind()) {
          case TRACEPOINT -> field(name, span);
          case USDT -> usdtArgument(name, span);
          case ENTRY, RETURN -> Optional.empty();
        };
    return own.isPresent() ? own.get() : constant(name, span);
  }

  private int parameter(String name) {
    List<String> names = probe.parameterNames();
    return names.indexOf(name);
  }

  /** Returns a value of a parameter's type, which is in an argument register. */
  private Expr argument(int index, Expr register, SourceSpan span) {
    CType type = probe.parameters().get(index).type();
    Expr value = new Expr.Cast(type.knownName(), register, span);
    return type.isPointer() && (type.isUser() || probe.takesUserMemory())
        ? inUserSpace(value)
        : value;
  }

  private static Expr inUserSpace(Expr pointer) {
    return new Expr.Call(MemoryBuiltins.UPTR, List.of(pointer), pointer.span());
  }

  /** Returns the error of what only probes on returns have. */
  static SpecifierException onlyAtReturns(String name, SourceSpan span) {
    return new SpecifierException(
        DiagnosticCode.NOT_AVAILABLE_HERE,
        span,
        "\"" + name + "\" is not available here: only a probe on the return of a function has it",
        "such a specifier begins with \"r:\"");
  }

  /** {@code args} is the record; argdist's first manual names fields without it. */
  private static Optional<Expr> field(String name, SourceSpan span) {
    Expr data = new Expr.Call(ContextBuiltins.DATA, List.of(), span);
    if (name.equals("args")) {
      return Optional.of(data);
    }
    return isConstant(name) || name.startsWith("$")
        ? Optional.empty()
        : Optional.of(new Expr.Member(data, Expr.Member.Access.ARROW, name, span, span));
  }

  /** argdist counts arguments from 1. */
  private static Optional<Expr> usdtArgument(String name, SourceSpan span) {
    return name.matches("arg[1-9][0-9]?")
        ? Optional.of(new Expr.Argument(Integer.parseInt(name.substring(3)) - 1, span))
        : Optional.empty();
  }

  private static boolean isConstant(String name) {
    return HeaderConstants.value(name).isPresent()
        || (Expr.NamedConstant.isName(name) && name.indexOf('_') > 0);
  }

  private Expr constant(String name, SourceSpan span) throws SpecifierException {
    if (Expr.NamedConstant.isName(name) && isConstant(name)) {
      return new Expr.NamedConstant(name, span);
    }
    List<String> known = known();
    throw new SpecifierException(
        DiagnosticCode.UNKNOWN_NAME,
        span,
        "\"" + name + "\" is not defined here",
        Suggestions.hint(
            name,
            Expr.NamedConstant.isName(name) ? HeaderConstants.names() : known.stream(),
            "there are " + String.join(", ", known)));
  }

  /** Returns the names that expressions can have. */
  private List<String> known() {
    List<String> names = new ArrayList<>();
    List<String> parameters =
        probe.parameterNames().stream().filter(name -> !name.isEmpty()).toList();
    switch (probe.kind()) {
      case ENTRY -> names.addAll(parameters);
      case RETURN -> {}
      case TRACEPOINT -> names.add("args");
      case USDT -> names.addAll(List.of("arg1", "arg2", "arg3"));
    }
    names.addAll(variables.names());
    return names;
  }

  @Override
  public Expr call(String function, List<Expr> arguments, SourceSpan span)
      throws SpecifierException {
    if (function.equals("STRCMP") && arguments.size() == 2) {
      return startsWith(arguments.get(0), arguments.get(1), span);
    }
    throw new SpecifierException(
        DiagnosticCode.UNKNOWN_NAME,
        span,
        function.equals("STRCMP")
            ? "\"STRCMP\" takes two arguments, found " + arguments.size()
            : "unknown function \"" + function + "\"",
        variables.haveEntries()
            ? "there are STRCMP(\"string\", pointer), $entry(parameter) and sizeof"
            : "there are STRCMP(\"string\", pointer) and sizeof");
  }

  @Override
  public boolean hasConditions() {
    return variables.haveConditions();
  }

  @Override
  public Expr user(Expr pointer) {
    return inUserSpace(pointer);
  }

  @Override
  public Expr entry(String name, SourceSpan span) throws SpecifierException {
    if (!variables.haveEntries()) {
      throw new SpecifierException(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "unknown function \"$entry\"",
          "a probe on the entry has parameters: p instead of r");
    }
    if (probe.kind() != ProbedFunction.Kind.RETURN) {
      throw onlyAtReturns("$entry", span);
    }
    int parameter = parameter(name);
    if (parameter < 0) {
      List<String> names = probe.parameterNames();
      throw new SpecifierException(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "\"" + probe.function().text() + "\" has no parameter \"" + name + "\" here",
          Suggestions.hint(
              name,
              names.stream(),
              names.isEmpty()
                  ? "name it in the signature: " + probe.function().text() + "(int " + name + ")"
                  : "there are " + String.join(", ", names)));
    }
    Expr register = new Expr.Argument(parameter, span);
    return argument(parameter, new Expr.Call(CallBuiltins.ENTRY, List.of(register), span), span);
  }

  /** argdist compares as many bytes as the literal has. */
  private Expr startsWith(Expr literal, Expr pointer, SourceSpan span) throws SpecifierException {
    if (!(literal instanceof Expr.StringLiteral prefix)) {
      throw new SpecifierException(
          literal.span(), "the first argument of \"STRCMP\" is a string in double quotes");
    }
    int length = TextBytes.encode(prefix.value()).length;
    Expr string = Addresses.string(pointer, length, probe.isInUserSpace());
    Expr difference =
        new Expr.Call(
            StringBuiltins.STRNCMP,
            List.of(string, prefix, new Expr.IntLiteral(length, span)),
            span);
    return new Expr.Binary(BinaryOp.EQ, difference, new Expr.IntLiteral(0, span), span);
  }

  @Override
  public Expr cast(CType type, Expr value, SourceSpan span) {
    Expr cast = new Expr.Cast(type.name(), Addresses.plain(value), span);
    return type.isPointer() && (type.isUser() || probe.isInUserSpace()) ? inUserSpace(cast) : cast;
  }
}
