package dev.ply.bpf.reference;

import dev.ply.analysis.MapContent;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.result.Datum;
import dev.ply.result.DatumFormat;
import dev.ply.result.PrintfFormat;
import dev.ply.result.TextBuffer;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Runs one clause at one moment. A statement tells whether the next one is to run. */
final class ClauseEvaluator implements Statement.Visitor<Boolean> {
  private final ExpressionEvaluator expressions;
  private final Map<String, MapState> maps;
  private final EventQueue events;
  private final DatumFormat format;
  private final StringBuilder printed;

  ClauseEvaluator(
      ExpressionEvaluator expressions,
      Map<String, MapState> maps,
      EventQueue events,
      DatumFormat format,
      StringBuilder printed) {
    this.expressions = expressions;
    this.maps = maps;
    this.events = events;
    this.format = format;
    this.printed = printed;
  }

  void run(Clause clause) {
    if (clause.predicate().isEmpty()
        || expressions.number(clause.predicate().orElseThrow()).isTrue()) {
      clause.body().accept(this);
    }
  }

  @Override
  public Boolean visit(Statement.Block node) {
    for (Statement statement : node.statements()) {
      if (!statement.accept(this)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Boolean visit(Statement.If node) {
    return expressions.number(node.condition()).isTrue()
        ? node.then().accept(this)
        : node.otherwise().accept(this);
  }

  @Override
  public Boolean visit(Statement.Store node) {
    MapState map = map(node.target());
    map.put(
        expressions.key(node.target()),
        expressions.datum(node.value(), map.symbol().content().type()));
    return true;
  }

  @Override
  public Boolean visit(Statement.Aggregate node) {
    List<CInteger> values =
        node.aggregation().arguments().stream().map(expressions::number).toList();
    map(node.target()).aggregate(expressions.key(node.target()), values);
    return true;
  }

  @Override
  public Boolean visit(Statement.Delete node) {
    // A map that is only ever deleted from never came to be.
    if (maps.containsKey(node.target().name())) {
      map(node.target()).remove(expressions.key(node.target()));
    }
    return true;
  }

  @Override
  public Boolean visit(Statement.Return node) {
    return false;
  }

  @Override
  public Boolean visit(Statement.Evaluate node) {
    if (node.expression() instanceof Expr.Call call) {
      switch (call.function().canonicalName()) {
        case "print" -> print(call);
        case "printf" -> printf(call);
        case "clear" -> clear(call);
        case "exit" -> exit(call);
        default -> {}
      }
    }
    // Nothing else does anything besides having a value.
    return true;
  }

  private MapState map(MapRef map) {
    MapState state = maps.get(map.name());
    if (state == null) {
      throw new IllegalArgumentException("nothing is ever stored in map " + map.name());
    }
    return state;
  }

  private void print(Expr.Call call) {
    List<Supplier<Datum>> items = new ArrayList<>();
    for (Expr value : call.arguments()) {
      boolean isMap = value instanceof Expr.MapRead read && read.map().keys().isEmpty();
      items.add(isMap ? dump((Expr.MapRead) value) : value(value));
    }
    events.send(
        () -> {
          TextBuffer line = new TextBuffer();
          format.appendAll(line, items.stream().map(Supplier::get).toList());
          printed.append(line).append('\n');
        });
  }

  private void printf(Expr.Call call) {
    String text = ((Expr.StringLiteral) call.arguments().get(0)).value();
    List<Supplier<Datum>> items = new ArrayList<>();
    for (Expr value : call.arguments().subList(1, call.arguments().size())) {
      boolean isMap = value instanceof Expr.MapRead read && isWhole(read);
      items.add(isMap ? dump((Expr.MapRead) value) : value(value));
    }
    events.send(
        () -> {
          TextBuffer shown = new TextBuffer();
          PrintfFormat.parse(text)
              .append(shown, items.stream().map(Supplier::get).toList(), format);
          printed.append(shown);
        });
  }

  /** To a format, a map without keys that does not aggregate is its one value. */
  private boolean isWhole(Expr.MapRead read) {
    MapState map = map(read.map());
    return read.map().keys().isEmpty()
        && !(map.symbol().keys().isEmpty() && map.symbol().content() instanceof MapContent.Plain);
  }

  /** A value is that of the moment. */
  private Supplier<Datum> value(Expr expr) {
    Datum now = expressions.datum(expr);
    return () -> now;
  }

  /** A map is as it is when the event arrives. */
  private Supplier<Datum> dump(Expr.MapRead read) {
    MapState map = map(read.map());
    return () -> new Datum.Dump(read.map().name(), map.table());
  }

  private void clear(Expr.Call call) {
    MapState map = map(((Expr.MapRead) call.arguments().get(0)).map());
    events.send(map::clear);
  }

  private void exit(Expr.Call call) {
    int status =
        call.arguments().isEmpty()
            ? 0
            : expressions.number(call.arguments().get(0)).as(IntType.S32).value().intValue();
    events.sendExit(status);
  }
}
