package dev.ply.lang.argdist;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
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
import java.util.stream.Stream;

/** The meanings of names in a specifier's expressions: its parameters, and argdist's variables. */
final class SpecifierScope implements CExpressionParser.Scope {
  private final Specifier specifier;

  SpecifierScope(Specifier specifier) {
    this.specifier = specifier;
  }

  @Override
  public Expr name(String name, SourceSpan span) throws SpecifierException {
    switch (name) {
      case "$PID" -> {
        return builtIn(ThreadBuiltins.PID, span);
      }
      case "$COMM" -> {
        return builtIn(ThreadBuiltins.COMM, span);
      }
      case "$retval" -> {
        requireReturn(name, span);
        Expr otherwise = new Expr.StringLiteral(ContextBuiltins.ELSE_UNSIGNED, span);
        return new Expr.Call(ContextBuiltins.RETVAL, List.of(otherwise), span);
      }
      case "$latency" -> {
        requireReturn(name, span);
        return new Expr.Cast(CType.ADDRESS.name(), builtIn(CallBuiltins.LATENCY, span), span);
      }
      case "true", "false", "NULL" -> {
        return new Expr.IntLiteral(name.equals("true") ? 1 : 0, span);
      }
      default -> {}
    }
    int parameter = parameter(name);
    if (parameter >= 0 && specifier.kind() == Specifier.Kind.ENTRY) {
      return argument(parameter, new Expr.Argument(parameter, span), span);
    }
    if (parameter >= 0 && specifier.kind() == Specifier.Kind.RETURN) {
      throw new SpecifierException(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          span,
          "parameter \"" + name + "\" is gone when the function returns",
          "its value at the entry is $entry(" + name + ")");
    }
    Optional<Expr> own =
        switch (specifier.kind()) {
          case TRACEPOINT -> field(name, span);
          case USDT -> usdtArgument(name, span);
          case ENTRY, RETURN -> Optional.empty();
        };
    return own.isPresent() ? own.get() : constant(name, span);
  }

  private int parameter(String name) {
    List<String> names = specifier.parameters().stream().map(Specifier.Parameter::name).toList();
    return names.indexOf(name);
  }

  /** Returns a value of a parameter's type, which is in an argument register. */
  private Expr argument(int index, Expr register, SourceSpan span) {
    CType type = specifier.parameters().get(index).type();
    Expr value = new Expr.Cast(type.knownName(), register, span);
    return type.isPointer() && (type.isUser() || specifier.isInUserSpace())
        ? inUserSpace(value)
        : value;
  }

  private static Expr inUserSpace(Expr pointer) {
    return new Expr.Call(MemoryBuiltins.UPTR, List.of(pointer), pointer.span());
  }

  private static Expr builtIn(Builtin value, SourceSpan span) {
    return new Expr.Call(value, List.of(), span);
  }

  private void requireReturn(String name, SourceSpan span) throws SpecifierException {
    if (specifier.kind() != Specifier.Kind.RETURN) {
      throw new SpecifierException(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          span,
          "\"" + name + "\" is not available here: only a probe on the return of a function has it",
          "such a specifier begins with \"r:\"");
    }
  }

  /** {@code args} is the record; argdist's first manual names fields without it. */
  private static Optional<Expr> field(String name, SourceSpan span) {
    Expr data = builtIn(ContextBuiltins.DATA, span);
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
    Stream<String> parameters =
        specifier.parameters().stream().map(Specifier.Parameter::name).filter(n -> !n.isEmpty());
    switch (specifier.kind()) {
      case ENTRY -> parameters.forEach(names::add);
      case RETURN -> {
        names.addAll(List.of("$retval", "$latency"));
        parameters.map(name -> "$entry(" + name + ")").forEach(names::add);
      }
      case TRACEPOINT -> names.add("args");
      case USDT -> names.addAll(List.of("arg1", "arg2", "arg3"));
    }
    names.addAll(List.of("$PID", "$COMM"));
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
        "there are STRCMP(\"string\", pointer), $entry(parameter) and sizeof");
  }

  @Override
  public Expr entry(String name, SourceSpan span) throws SpecifierException {
    requireReturn("$entry", span);
    int parameter = parameter(name);
    if (parameter < 0) {
      List<String> names = specifier.parameters().stream().map(Specifier.Parameter::name).toList();
      throw new SpecifierException(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "\"" + specifier.function().text() + "\" has no parameter \"" + name + "\" here",
          Suggestions.hint(
              name,
              names.stream(),
              names.isEmpty()
                  ? "name it in the signature: "
                      + specifier.function().text()
                      + "(int "
                      + name
                      + ")"
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
    Expr string = Addresses.string(pointer, length, specifier.isInUserSpace());
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
    return type.isPointer() && (type.isUser() || specifier.isInUserSpace())
        ? inUserSpace(cast)
        : cast;
  }
}
