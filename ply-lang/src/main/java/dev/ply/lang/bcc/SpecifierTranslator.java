package dev.ply.lang.bcc;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.table.ArgdistTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Translates a specifier to a clause that collects in a map of its own. */
final class SpecifierTranslator {
  private static final CType INT = CType.integer("int");
  private static final String RESULT = "retval";

  private final Specifier specifier;
  private final ArgdistSettings settings;
  private final SpecifierScope scope;
  private final SourceSpan span;

  SpecifierTranslator(Specifier specifier, ArgdistSettings settings) {
    this.specifier = specifier;
    this.settings = settings;
    this.scope = new SpecifierScope(specifier.probe(), new ArgdistVariables(specifier.probe()));
    this.span = specifier.whole().span();
  }

  /** Returns the clause. */
  Clause clause(String map) throws SpecifierException {
    Statement collect =
        new Statement.Aggregate(
            new MapRef(map, keys(), span), aggregation(), specifier.whole().span());
    return new Clause(
        specifier.probe().point(),
        specifier.probe().function().span(),
        predicate(),
        new Statement.Block(List.of(collect), span),
        span);
  }

  /** Returns how the map is shown. */
  ArgdistTable table() {
    List<String> names = new ArrayList<>();
    for (Specifier.Column column : specifier.columns()) {
      // A value of the entry is called by the parameter's name.
      names.add(
          Specifier.oneLine(column.expression()).replaceAll("\\$entry\\(\\s*(\\w+)\\s*\\)", "$1"));
    }
    if (names.isEmpty() && specifier.probe().kind() == ProbedFunction.Kind.RETURN) {
      names.add(RESULT);
    }
    return specifier.collect() == Collect.COUNTS
        ? new ArgdistTable.Counts(specifier.heading(), names)
        : new ArgdistTable.Distribution(specifier.label().orElseGet(() -> names.get(0)));
  }

  private List<Expr> keys() throws SpecifierException {
    return specifier.collect() == Collect.COUNTS ? values() : List.of();
  }

  private Aggregation aggregation() throws SpecifierException {
    return specifier.collect() == Collect.COUNTS
        ? new Aggregation(AggregateFunctions.COUNT, List.of(), span)
        : new Aggregation(AggregateFunctions.QUANTIZE, values(), span);
  }

  /** Returns the values of the columns; by default the result of a function, and nothing else. */
  private List<Expr> values() throws SpecifierException {
    if (specifier.columns().isEmpty()) {
      Expr result = new Expr.Call(ContextBuiltins.RETVAL, List.of(), span);
      return specifier.probe().kind() == ProbedFunction.Kind.RETURN
          ? List.of(new Expr.Cast(INT.name(), result, span))
          : List.of();
    }
    List<Expr> values = new ArrayList<>();
    for (Specifier.Column column : specifier.columns()) {
      Expr value = CExpressionParser.parse(column.expression(), scope);
      values.add(stored(value, column.type()));
    }
    return values;
  }

  private Expr stored(Expr value, CType type) {
    // A name is shown as such, though argdist's help gives it the type of a number.
    boolean isName = value instanceof Expr.Call call && call.function() == ThreadBuiltins.COMM;
    if (type.isString() || isName) {
      return Addresses.string(value, settings.stringSize(), specifier.probe().isInUserSpace());
    }
    if (type.isPointer()) {
      Expr address = Addresses.withoutType(value, true);
      return new Expr.Cast(CType.ADDRESS.name(), address, value.span());
    }
    if (value instanceof Expr.Cast cast) {
      if (cast.type().equals(type.name())) {
        return value;
      } else if (cast.type().equals(CType.ADDRESS.name()) && cast.operand() instanceof Expr.Call) {
        // What a register holds has as many bits as any number.
        return new Expr.Cast(type.name(), cast.operand(), value.span());
      }
    }
    return new Expr.Cast(type.name(), Addresses.plain(value), value.span());
  }

  private Optional<Expr> predicate() throws SpecifierException {
    Optional<Expr> filter = Optional.empty();
    if (specifier.filter().isPresent()) {
      filter = Optional.of(CExpressionParser.parse(specifier.filter().get(), scope));
    }
    if (settings.thread().isEmpty()) {
      return filter;
    }
    Expr own =
        new Expr.Binary(
            BinaryOp.EQ,
            new Expr.Call(ThreadBuiltins.KPID, List.of(), span),
            Expr.number(settings.thread().getAsLong(), span),
            span);
    return filter
        .<Expr>map(condition -> new Expr.Binary(BinaryOp.LOGICAL_AND, own, condition, span))
        .or(() -> Optional.of(own));
  }
}
