package dev.ply.bpf.reference;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.typing.LocalVariable;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.PrintedMap;
import dev.ply.ir.Statement;
import dev.ply.render.ConversionWriter;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs one clause at one moment. A statement tells what is to run next. */
final class ClauseEvaluator implements Statement.Visitor<ClauseEvaluator.Flow> {
  /** After how many rounds a loop is stopped. */
  private static final int MOST_ROUNDS = 1024;

  private final AnalyzedClause analyzed;
  private final VariableValues variables;
  private final ExpressionEvaluator expressions;
  private final Map<String, MapState> maps;
  private final EventQueue events;
  private final DatumFormat format;
  private final StringBuilder printed;

  /** What runs after a statement. */
  enum Flow {
    /** The next statement. */
    NEXT,
    /** What follows the innermost loop. */
    BREAK,
    /** The next round of the innermost loop. */
    CONTINUE,
    /** Nothing of the clause. */
    RETURN
  }

  ClauseEvaluator(
      AnalyzedClause analyzed,
      ExpressionEvaluator expressions,
      Map<String, MapState> maps,
      VariableValues variables,
      EventQueue events,
      DatumFormat format,
      StringBuilder printed) {
    this.analyzed = analyzed;
    this.variables = variables;
    this.expressions = expressions;
    expressions.setStatements(statement -> statement.accept(this));
    this.maps = maps;
    this.events = events;
    this.format = format;
    this.printed = printed;
  }

  void run() {
    Clause clause = analyzed.clause();
    if (clause.predicate().isEmpty()
        || expressions.number(clause.predicate().orElseThrow()).isTrue()) {
      clause.body().accept(this);
    }
  }

  @Override
  public Flow visit(Statement.Block node) {
    variables.open();
    Flow flow = Flow.NEXT;
    for (Statement statement : node.statements()) {
      flow = statement.accept(this);
      if (flow != Flow.NEXT) {
        break;
      }
    }
    variables.close();
    return flow;
  }

  @Override
  public Flow visit(Statement.If node) {
    return expressions.number(node.condition()).isTrue()
        ? node.then().accept(this)
        : node.otherwise().accept(this);
  }

  @Override
  public Flow visit(Statement.While node) {
    for (int round = 0; expressions.number(node.condition()).isTrue(); round++) {
      if (round == MOST_ROUNDS) {
        return Flow.NEXT;
      }
      Flow flow = node.body().accept(this);
      if (flow == Flow.BREAK || flow == Flow.RETURN) {
        return flow == Flow.RETURN ? flow : Flow.NEXT;
      }
    }
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.ForRange node) {
    long next = bound(node.from());
    long end = bound(node.to());
    for (int round = 0; next < end && round < MOST_ROUNDS; round++) {
      variables.open();
      variables.declare(node.variable(), new Datum.Int(next++, IntType.S64));
      Flow flow = node.body().accept(this);
      variables.close();
      if (flow == Flow.BREAK || flow == Flow.RETURN) {
        return flow == Flow.RETURN ? flow : Flow.NEXT;
      }
    }
    return Flow.NEXT;
  }

  /** Entries that the body removes before their turn are not visited. */
  @Override
  public Flow visit(Statement.ForEach node) {
    MapState map = map(node.map());
    for (Key key : map.keys()) {
      Optional<Datum> value = map.get(key);
      if (value.isEmpty()) {
        continue;
      }
      variables.open();
      variables.declare(node.variable(), new Datum.Tuple(List.of(keyOf(key), value.orElseThrow())));
      Flow flow = node.body().accept(this);
      variables.close();
      if (flow == Flow.BREAK || flow == Flow.RETURN) {
        return flow == Flow.RETURN ? flow : Flow.NEXT;
      }
    }
    return Flow.NEXT;
  }

  private static Datum keyOf(Key key) {
    return key.parts().size() == 1 ? key.parts().get(0) : new Datum.Tuple(key.parts());
  }

  private long bound(Expr bound) {
    return expressions.number(bound).as(IntType.S64).value().longValue();
  }

  @Override
  public Flow visit(Statement.Unroll node) {
    for (long i = 0; i < ((Expr.IntLiteral) node.count()).value(); i++) {
      Flow flow = node.body().accept(this);
      if (flow == Flow.BREAK || flow == Flow.RETURN) {
        return flow == Flow.RETURN ? flow : Flow.NEXT;
      }
    }
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Break node) {
    return Flow.BREAK;
  }

  @Override
  public Flow visit(Statement.Continue node) {
    return Flow.CONTINUE;
  }

  @Override
  public Flow visit(Statement.Assign node) {
    LocalVariable variable = analyzed.variable(node);
    variables.set(node.variable(), expressions.datum(node.value(), variable.type()));
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Declare node) {
    LocalVariable variable = analyzed.variable(node);
    variables.declare(
        node.variable(),
        node.value()
            .map(value -> expressions.datum(value, variable.type()))
            .orElseGet(() -> DatumConversions.zero(variable.type())));
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Update node) {
    MapState map = map(node.target());
    Type content = map.symbol().content().type();
    IntType type = Conversions.asInteger(content).orElseThrow();
    boolean isSum = node.op() == BinaryOp.ADD || node.op() == BinaryOp.SUB;
    int unit =
        isSum && content instanceof Type.PointerType pointer
            ? Math.max(1, pointer.target().size())
            : 1;
    CInteger number = expressions.number(node.value());
    CInteger value =
        unit == 1
            ? number
            : number.binary(BinaryOp.MUL, CInteger.of(unit, IntType.U64), expressions.dialect());
    CInteger changed =
        expressions.entry(node.target(), type).binary(node.op(), value, expressions.dialect());
    map.put(expressions.key(node.target()), DatumConversions.scalar(changed.as(type), content));
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Store node) {
    MapState map = map(node.target());
    map.put(
        expressions.key(node.target()),
        expressions.datum(node.value(), map.symbol().content().type()));
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Aggregate node) {
    List<CInteger> values =
        node.aggregation().arguments().stream()
            .filter(argument -> !(argument instanceof Expr.StringLiteral))
            .map(expressions::number)
            .toList();
    map(node.target()).aggregate(expressions.key(node.target()), values, expressions.nanos());
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Delete node) {
    // A map that is only ever deleted from never came to be.
    if (maps.containsKey(node.target().name())) {
      map(node.target()).remove(expressions.key(node.target()));
    }
    return Flow.NEXT;
  }

  @Override
  public Flow visit(Statement.Return node) {
    node.value().ifPresent(expressions::number);
    return Flow.RETURN;
  }

  @Override
  public Flow visit(Statement.Evaluate node) {
    if (node.expression() instanceof Expr.Call call) {
      switch (call.function().canonicalName()) {
        case "print" -> print(call);
        case "printf" -> printf(call);
        case "clear" -> clear(call);
        case "exit" -> exit(call);
        default -> {}
      }
    }
    if (!(node.expression() instanceof Expr.Call)
        && analyzed.typeOf(node.expression()).isScalar()) {
      expressions.number(node.expression());
    }
    return Flow.NEXT;
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
    Optional<PrintedMap> form = PrintedMap.of(call.arguments());
    form.ifPresent(printed -> items.add(part(printed)));
    for (Expr value : form.isPresent() ? List.<Expr>of() : call.arguments()) {
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
      boolean isMap = value instanceof Expr.MapRead && !analyzed.isTyped(value);
      items.add(isMap ? dump((Expr.MapRead) value) : value(value));
    }
    events.send(
        () -> {
          TextBuffer shown = new TextBuffer();
          ConversionWriter.append(
              shown, PrintfFormat.parse(text), items.stream().map(Supplier::get).toList(), format);
          printed.append(shown);
        });
  }

  /** A value is that of the moment. */
  private Supplier<Datum> value(Expr expr) {
    Datum now = expressions.datum(expr);
    return () -> now;
  }

  /** The largest entries of a map, divided. */
  private Supplier<Datum> part(PrintedMap printed) {
    MapState map = map(printed.map());
    return () -> {
      List<Row<Datum>> rows = map.table().rows();
      List<Row<Datum>> last = rows.subList(Math.max(0, rows.size() - printed.top()), rows.size());
      return new Datum.Dump(
          new NamedTable(
              map.symbol().schema(),
              Table.of(last).map(value -> value.dividedBy(printed.divisor()))));
    };
  }

  /** A map is as it is when the event arrives. */
  private Supplier<Datum> dump(Expr.MapRead read) {
    MapState map = map(read.map());
    return () -> new Datum.Dump(new NamedTable(map.symbol().schema(), map.table()));
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
