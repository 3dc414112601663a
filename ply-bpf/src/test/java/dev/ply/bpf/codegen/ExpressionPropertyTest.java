package dev.ply.bpf.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.Session.NamedTable;
import dev.ply.bpf.generate.Expressions;
import dev.ply.bpf.generate.Scene;
import dev.ply.bpf.reference.Evaluator;
import dev.ply.bpf.reference.Evaluator.Int;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Script;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.result.Datum;
import dev.ply.result.Histogram;
import dev.ply.result.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compiled expressions on the virtual machine are worth what C says they are. */
class ExpressionPropertyTest {
  private static final SimulatedTarget TARGET = Scene.target();
  private static final SourceSpan NONE = SourceSpan.NONE;

  @Property(tries = 2000)
  void valuesAreWhatCSaysTheyAre(@ForAll long seed, @ForAll @IntRange(min = 1, max = 25) int size) {
    Random random = new Random(seed);
    Scene scene = new Scene(random);
    check(scene, new Expressions(random, scene).integer(size));
  }

  @Property(tries = 300)
  void manyValuesCanWaitForTheLast(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 120) int operands) {
    Random random = new Random(seed);
    Scene scene = new Scene(random);
    check(scene, new Expressions(random, scene).leaningRight(operands));
  }

  @Property(tries = 60)
  void fullTreesFitTheRegisters(@ForAll long seed, @ForAll @IntRange(min = 1, max = 7) int depth) {
    Random random = new Random(seed);
    Scene scene = new Scene(random);
    check(scene, new Expressions(random, scene).tree(depth));
  }

  @Property(tries = 1000)
  void distributionsCountTheHighestBit(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int size) {
    Random random = new Random(seed);
    Scene scene = new Scene(random);
    Expr value = new Expressions(random, scene).integer(size);
    Int expected = scene.evaluator().evaluate(value);
    List<NamedTable> tables =
        run(
            scene,
            new Statement.Aggregate(map("@q", value), new Aggregation.Quantize(value, NONE), NONE),
            new Statement.Aggregate(map("@s"), new Aggregation.Sum(value, NONE), NONE));
    Datum row = tables.get(0).table().single();
    Histogram histogram = ((Datum.Distribution) row).histogram();
    assertThat(histogram.total()).isEqualTo(1);
    if (expected.value().signum() < 0) {
      assertThat(histogram.negative()).isEqualTo(1);
    } else {
      int bucket = Math.max(0, expected.value().bitLength() - 1);
      assertThat(histogram.count(bucket)).as("bucket of %s", expected.value()).isEqualTo(1);
    }
    if (expected.isTrue()) {
      assertThat(integer(tables.get(1).table())).isEqualTo(expected.value().longValue());
    } else {
      assertThat(tables.get(1).table().isEmpty()).isTrue();
    }
  }

  /** Checks the expression as a value, as a condition, as a key and as an aggregating map's key. */
  private static void check(Scene scene, Expr expr) {
    Evaluator evaluator = scene.evaluator();
    Int expected = evaluator.evaluate(expr);
    Expr one = new Expr.IntLiteral(1, NONE);
    Expr two = new Expr.IntLiteral(2, NONE);
    List<NamedTable> tables =
        run(
            scene,
            new Statement.Store(map("value", one), expr, NONE),
            new Statement.If(
                expr,
                block(new Statement.Store(map("truth", one), one, NONE)),
                block(new Statement.Store(map("truth", one), two, NONE)),
                NONE),
            new Statement.Store(map("key", expr), one, NONE),
            new Statement.Aggregate(map("@key", expr, one), new Aggregation.Count(NONE), NONE));
    assertThat(integer(tables.get(0).table())).isEqualTo(expected.value().longValue());
    assertThat(integer(tables.get(1).table())).isEqualTo(expected.isTrue() ? 1 : 2);
    assertThat(tables.get(2).table().get(expected.value().longValue())).isPresent();
    assertThat(tables.get(3).table().get(expected.value().longValue(), 1)).isPresent();
  }

  private static List<NamedTable> run(Scene scene, Statement... statements) {
    Clause clause = new Clause(scene.point(), NONE, Optional.empty(), block(statements), NONE);
    Script script = new Script(List.of(clause));
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(script)) {
      tracer.fire(scene.firing());
      return new ArrayList<>(session.tables());
    } catch (RuntimeException e) {
      throw new AssertionError(IrPrinter.print(script), e);
    }
  }

  private static long integer(Table<Datum> table) {
    return ((Datum.Int) table.single()).value();
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, List.of(keys), NONE);
  }

  private static Statement.Block block(Statement... statements) {
    return new Statement.Block(List.of(statements), NONE);
  }
}
