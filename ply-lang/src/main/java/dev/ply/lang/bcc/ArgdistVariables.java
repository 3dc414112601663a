package dev.ply.lang.bcc;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** argdist's variables. */
record ArgdistVariables(ProbedFunction probe) implements SpecifierScope.Variables {
  @Override
  public Optional<Expr> value(String name, SourceSpan span) throws SpecifierException {
    switch (name) {
      case "$PID" -> {
        return Optional.of(builtIn(ThreadBuiltins.PID, span));
      }
      case "$COMM" -> {
        return Optional.of(builtIn(ThreadBuiltins.COMM, span));
      }
      case "$retval" -> {
        requireReturn(name, span);
        return Optional.of(result(span));
      }
      case "$latency" -> {
        requireReturn(name, span);
        return Optional.of(
            new Expr.Cast(CType.ADDRESS.name(), builtIn(CallBuiltins.LATENCY, span), span));
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  /** Returns the result of the function: unsigned unless its type is known. */
  static Expr result(SourceSpan span) {
    Expr otherwise = new Expr.StringLiteral(ContextBuiltins.ELSE_UNSIGNED, span);
    return new Expr.Call(ContextBuiltins.RETVAL, List.of(otherwise), span);
  }

  private static Expr builtIn(Builtin value, SourceSpan span) {
    return new Expr.Call(value, List.of(), span);
  }

  private void requireReturn(String name, SourceSpan span) throws SpecifierException {
    if (probe.kind() != ProbedFunction.Kind.RETURN) {
      throw SpecifierScope.onlyAtReturns(name, span);
    }
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    if (probe.kind() == ProbedFunction.Kind.RETURN) {
      names.addAll(List.of("$retval", "$latency"));
      probe.parameterNames().stream()
          .filter(name -> !name.isEmpty())
          .map(name -> "$entry(" + name + ")")
          .forEach(names::add);
    }
    names.addAll(List.of("$PID", "$COMM"));
    return names;
  }

  @Override
  public boolean haveEntries() {
    return true;
  }

  @Override
  public boolean haveConditions() {
    return false;
  }
}
