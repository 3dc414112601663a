package dev.ply.bpf.generate;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary statements that are right in a clause on one place, over a fixed set of maps. */
final class TypedStatements {
  private static final SourceSpan NONE = SourceSpan.NONE;
  private static final int MOST = 3;

  private final TypedExpressions expressions;
  private final boolean hasLoops;
  private final boolean knowsTime;

  /** Statements of a script of some extent: what runs in rounds, large ones do not. */
  TypedStatements(TypedExpressions expressions, Extent extent) {
    this.hasLoops = extent == Extent.USUAL;
    this.knowsTime = expressions.vocabulary().knowsTime();
    this.expressions = expressions;
  }

  /** Returns what gives the maps their types, to be in every script. */
  static List<Statement> declarations() {
    Expr one = new Expr.IntLiteral(1, NONE);
    Expr text = new Expr.StringLiteral("text", NONE);
    return List.of(
        new Statement.Store(map("numbers", one, text), one, NONE),
        new Statement.Store(map("texts", one), text, NONE),
        new Statement.Store(map("@last"), one, NONE),
        new Statement.Store(map("@pairs", one), new Expr.Tuple(List.of(one, text), NONE), NONE),
        update(map("@sum", one), new Aggregation(AggregateFunctions.SUM, List.of(one), NONE)),
        update(map("@counted", one), new Aggregation(AggregateFunctions.COUNT, List.of(), NONE)),
        update(map("@most"), new Aggregation(AggregateFunctions.MAX, List.of(one), NONE)),
        update(map("@least", one), new Aggregation(AggregateFunctions.MIN, List.of(one), NONE)));
  }

  /** Returns blocks with others in them to that depth. */
  Arbitrary<Statement.Block> blocks(int depth) {
    return Fixed.of(
        Fixed.of(statements(depth))
            .list()
            .ofMaxSize(MOST)
            .map(list -> new Statement.Block(list, NONE)));
  }

  private Arbitrary<Statement> statements(int depth) {
    List<Tuple.Tuple2<Integer, Arbitrary<Statement>>> kinds = new ArrayList<>();
    kinds.add(Tuple.of(6, Fixed.of(stores())));
    kinds.add(Tuple.of(8, Fixed.of(updates())));
    kinds.add(Tuple.of(4, Fixed.of(updatesByAll())));
    kinds.add(Tuple.of(4, Fixed.of(knownUpdates())));
    MapLoops maps = new MapLoops(expressions);
    kinds.add(Tuple.of(2, Fixed.of(maps.counts())));
    kinds.add(Tuple.of(2, Fixed.of(maps.reads())));
    if (hasLoops) {
      kinds.add(Tuple.of(3, Fixed.of(maps.blocks())));
    } else {
      // Many of them in one loop have too many paths for verifiers.
      kinds.add(Tuple.of(4, Fixed.of(limits())));
    }
    if (knowsTime) {
      kinds.add(Tuple.of(1, Fixed.of(series())));
    }
    kinds.add(Tuple.of(2, Fixed.of(targets().map(target -> new Statement.Delete(target, NONE)))));
    kinds.add(Tuple.of(5, Fixed.of(prints())));
    kinds.add(Tuple.of(1, Fixed.of(rare())));
    if (depth > 0) {
      Arbitrary<Statement.Block> inner = blocks(depth - 1);
      kinds.add(
          Tuple.of(
              3,
              Combinators.combine(expressions.numbers(), inner, inner)
                  .as((condition, then, other) -> new Statement.If(condition, then, other, NONE))));
    }
    if (depth > 0) {
      Arbitrary<Statement.Block> inner = blocks(depth - 1);
      kinds.add(
          Tuple.of(
              3, Fixed.of(new VariableStatements(expressions, depth, hasLoops).blocks(inner))));
    }
    return Arbitraries.frequencyOf(kinds);
  }

  private Arbitrary<Expr> number() {
    return expressions.numbers();
  }

  private Arbitrary<MapRef> numbers() {
    return Arbitraries.oneOf(
        expressions.numberEntries(),
        Combinators.combine(number(), expressions.texts())
            .as((number, text) -> map("numbers", number, text)));
  }

  private Arbitrary<MapRef> texts() {
    return Arbitraries.oneOf(
        expressions.textEntries(), number().map(number -> map("texts", number)));
  }

  private Arbitrary<MapRef> targets() {
    return Arbitraries.oneOf(numbers(), texts(), number().map(number -> map("@sum", number)));
  }

  private Arbitrary<Statement> stores() {
    return Arbitraries.oneOf(
        Combinators.combine(numbers(), number()).as((to, value) -> store(to, value)),
        Combinators.combine(texts(), expressions.texts()).as((to, value) -> store(to, value)),
        number().map(value -> store(map("@last"), value)),
        Combinators.combine(number(), tuples())
            .as((key, value) -> store(map("@pairs", key), value)),
        Combinators.combine(tuples(), number())
            .as((key, value) -> store(map("@paired", key), value)));
  }

  /** Returns pairs of a number and a string: written out, and those of a map. */
  private Arbitrary<Expr> tuples() {
    return Arbitraries.oneOf(
        Combinators.combine(number(), expressions.texts())
            .as((first, second) -> new Expr.Tuple(List.of(first, second), NONE)),
        number().map(key -> new Expr.MapRead(map("@pairs", key), NONE)));
  }

  private static Statement store(MapRef to, Expr value) {
    return new Statement.Store(to, value, NONE);
  }

  private Arbitrary<Statement> updates() {
    Arbitrary<Expr> number = number();
    Arbitrary<Expr> text = expressions.texts();
    return Arbitraries.oneOf(
        Arbitraries.just(
            update(map("@"), new Aggregation(AggregateFunctions.COUNT, List.of(), NONE))),
        number.map(
            value ->
                update(
                    map("@most"), new Aggregation(AggregateFunctions.MAX, List.of(value), NONE))),
        Combinators.combine(number, number)
            .as(
                (key, value) ->
                    update(
                        map("@least", key),
                        new Aggregation(AggregateFunctions.MIN, List.of(value), NONE))),
        number.map(
            value ->
                update(
                    map("@total"), new Aggregation(AggregateFunctions.SUM, List.of(value), NONE))),
        number.map(
            value ->
                update(
                    map("@all"),
                    new Aggregation(AggregateFunctions.QUANTIZE, List.of(value), NONE))),
        Combinators.combine(number, number)
            .as(
                (key, value) ->
                    update(
                        map("@sum", key),
                        new Aggregation(AggregateFunctions.SUM, List.of(value), NONE))),
        Combinators.combine(text, number)
            .as(
                (a, b) ->
                    update(
                        map("@count", a, b),
                        new Aggregation(AggregateFunctions.COUNT, List.of(), NONE))),
        Combinators.combine(text, number)
            .as(
                (key, value) ->
                    update(
                        map("@sizes", key),
                        new Aggregation(AggregateFunctions.QUANTIZE, List.of(value), NONE))));
  }

  /** Updates by each aggregating function of a number: without keys, by any, by known ones. */
  private Arbitrary<Statement> updatesByAll() {
    Arbitrary<Expr> keys =
        Arbitraries.of(Firings.KNOWN_NAMES).map(text -> new Expr.StringLiteral(text, NONE));
    return Combinators.combine(
            Arbitraries.of(AggregateFunctions.all())
                .filter(function -> function.signature().required() > 0)
                .filter(function -> knowsTime || function != AggregateFunctions.TSERIES),
            Arbitraries.of(0, 1, 2),
            number(),
            keys,
            number())
        .as(
            (function, kind, key, known, value) -> {
              String name = "@" + function.canonicalName() + "_" + kind;
              MapRef map = kind == 0 ? map(name) : map(name, kind == 1 ? key : known);
              return update(map, new Aggregation(function, arguments(function, value), NONE));
            });
  }

  /** Returns the value with constants after it where a function requires them. */
  private static List<Expr> arguments(AggregateFunction function, Expr value) {
    List<Expr> arguments = new ArrayList<>(List.of(value));
    if (function == AggregateFunctions.LHIST) {
      for (long constant : new long[] {-20, 1L << 33, (1L << 33) / 100}) {
        arguments.add(Expr.number(constant, NONE));
      }
    }
    if (function == AggregateFunctions.TSERIES) {
      arguments.add(Expr.number(700, NONE));
      arguments.add(Expr.number(3, NONE));
    }
    return arguments;
  }

  /** Time series of each reduction; the clock advances by less than an interval, or by several. */
  private Arbitrary<Statement> series() {
    return Combinators.combine(
            number(),
            Arbitraries.of("avg", "sum", "min", "max"),
            Arbitraries.of(1L, 5_000_000_000L))
        .as(
            (value, reduction, interval) ->
                update(
                    map("@series_" + reduction + interval, value),
                    new Aggregation(
                        AggregateFunctions.TSERIES,
                        List.of(
                            value,
                            Expr.number(interval, NONE),
                            Expr.number(5, NONE),
                            new Expr.StringLiteral(reduction, NONE)),
                        NONE)));
  }

  /** Histograms with limits of each kind: small, with steps of a power of two, divided powers. */
  private Arbitrary<Statement> limits() {
    return Combinators.combine(
            number(), Arbitraries.of(0, 1, 2, 3), Arbitraries.integers().between(0, 5))
        .as(
            (value, kind, bits) -> {
              Expr divided = Expr.number(bits, NONE);
              return switch (kind) {
                case 0 -> update(map("@lower"), lhist(value, -7, 9, 3));
                case 1 -> update(map("@upper", value), lhist(value, 0, 4096, 512));
                case 2 ->
                    update(
                        map("@bits_" + bits),
                        new Aggregation(
                            AggregateFunctions.QUANTIZE, List.of(value, divided), NONE));
                default ->
                    update(
                        map("@two_bits", value),
                        new Aggregation(
                            AggregateFunctions.QUANTIZE,
                            List.of(value, Expr.number(2, NONE)),
                            NONE));
              };
            });
  }

  private static Aggregation lhist(Expr value, long min, long max, long step) {
    return new Aggregation(
        AggregateFunctions.LHIST,
        List.of(value, Expr.number(min, NONE), Expr.number(max, NONE), Expr.number(step, NONE)),
        NONE);
  }

  /** Updates of maps of which all keys are known: by themselves, or by the condition before. */
  private Arbitrary<Statement> knownUpdates() {
    Arbitrary<Expr> texts =
        Arbitraries.of(Firings.KNOWN_NAMES).map(text -> new Expr.StringLiteral(text, NONE));
    Arbitrary<Expr> numbers =
        Arbitraries.of(0L, 42L, -1L, 1L << 33).map(value -> Expr.number(value, NONE));
    Arbitrary<Expr> who =
        Arbitraries.of(ThreadBuiltins.PID, ThreadBuiltins.KPID).map(TypedStatements::builtIn);
    Expr name = builtIn(ThreadBuiltins.COMM);
    return Arbitraries.oneOf(
        Combinators.combine(texts, numbers, number())
            .as(
                (a, b, value) ->
                    update(
                        map("@places", a, b),
                        new Aggregation(AggregateFunctions.SUM, List.of(value), NONE))),
        Combinators.combine(texts, number())
            .as(
                (key, value) ->
                    update(
                        map("@spread", key),
                        new Aggregation(AggregateFunctions.QUANTIZE, List.of(value), NONE))),
        Combinators.combine(who, numbers, texts, number())
            .as(
                (id, number, text, value) ->
                    where(
                        both(equal(id, number), equal(text, name)),
                        update(
                            map("@who", id, name),
                            new Aggregation(AggregateFunctions.SUM, List.of(value), NONE)))));
  }

  private static Expr builtIn(Builtin function) {
    return new Expr.Call(function, List.of(), NONE);
  }

  private static Expr equal(Expr left, Expr right) {
    return new Expr.Binary(BinaryOp.EQ, left, right, NONE);
  }

  private static Expr both(Expr left, Expr right) {
    return new Expr.Binary(BinaryOp.LOGICAL_AND, left, right, NONE);
  }

  private static Statement where(Expr condition, Statement then) {
    Statement.Block nothing = new Statement.Block(List.of(), NONE);
    return new Statement.If(condition, new Statement.Block(List.of(then), NONE), nothing, NONE);
  }

  private static Statement update(MapRef map, Aggregation aggregation) {
    return new Statement.Aggregate(map, aggregation, NONE);
  }

  private Arbitrary<Statement> prints() {
    List<Arbitrary<Expr>> kinds = new ArrayList<>(List.of(number(), expressions.texts()));
    if (!expressions.vocabulary().structures().isEmpty()) {
      kinds.add(Arbitraries.of(expressions.vocabulary().structures()));
    }
    kinds.add(tuples());
    Arbitrary<Expr> values = Arbitraries.oneOf(kinds);
    return Arbitraries.oneOf(
        values.list().ofMinSize(1).ofMaxSize(3).map(list -> call(EventBuiltins.PRINT, list)),
        Combinators.combine(
                Arbitraries.of("%d %s %v\n", "%5u|%-8.3s|%x\n", "%#llx %20s %i\n"),
                number(),
                expressions.texts(),
                number())
            .as(
                (format, first, text, second) ->
                    call(
                        EventBuiltins.PRINTF,
                        List.of(new Expr.StringLiteral(format, NONE), first, text, second))));
  }

  /** What ends clauses and traces early, and what user space does to whole maps. */
  private Arbitrary<Statement> rare() {
    Arbitrary<String> names = Arbitraries.of("numbers", "texts", "@last", "@most", "@least");
    return Arbitraries.oneOf(
        number().optional().map(value -> new Statement.Return(value, NONE)),
        number().map(status -> call(EventBuiltins.EXIT, List.of(status))),
        names.map(name -> call(EventBuiltins.CLEAR, List.of(whole(name)))),
        names.map(name -> call(EventBuiltins.PRINT, List.of(whole(name)))),
        Combinators.combine(names, Arbitraries.of(0L, 1L, 2L), Arbitraries.of(0L, 1L, 3L))
            .as(
                (name, top, divisor) ->
                    call(
                        EventBuiltins.PRINT,
                        List.of(
                            whole(name),
                            new Expr.IntLiteral(top, NONE),
                            new Expr.IntLiteral(divisor, NONE)))));
  }

  private static Expr whole(String map) {
    return new Expr.MapRead(map(map), NONE);
  }

  private static Statement call(Builtin function, List<Expr> arguments) {
    return new Statement.Evaluate(new Expr.Call(function, arguments, NONE), NONE);
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, List.of(keys), NONE);
  }
}
