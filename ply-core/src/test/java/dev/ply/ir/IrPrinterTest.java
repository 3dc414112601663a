package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IrPrinterTest {
  private static final SourceSpan AT = SourceSpan.NONE;

  private static Expr call(Builtin function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), AT);
  }

  private static Expr number(long value) {
    return new Expr.IntLiteral(value, AT);
  }

  private static Statement.Block block(Statement... statements) {
    return new Statement.Block(List.of(statements), AT);
  }

  private static Statement run(Expr expression) {
    return new Statement.Evaluate(expression, AT);
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, Arrays.asList(keys), AT);
  }

  private static Clause clause(AttachPoint point, Optional<Expr> where, Statement... body) {
    return new Clause(point, AT, where, block(body), AT);
  }

  @Test
  void aScriptPrintsAClauseALine() {
    Expr retval = call(ContextBuiltins.RETVAL);
    Expr positive = new Expr.Binary(BinaryOp.GT, retval, number(0), AT);
    Script script =
        new Script(
            List.of(
                clause(
                    new KernelProbe.Kretprobe("vfs_read"),
                    Optional.of(positive),
                    new Statement.Aggregate(
                        map("@", call(ThreadBuiltins.COMM)),
                        new Aggregation(AggregateFunctions.QUANTIZE, List.of(retval), AT),
                        AT)),
                clause(
                    new TimerProbe.Interval(Duration.ofSeconds(1)),
                    Optional.empty(),
                    run(call(EventBuiltins.EXIT, number(0))))));

    assertThat(IrPrinter.print(script))
        .isEqualTo(
            """
            (clause kretprobe:vfs_read (where (> retval 0)) (update @ (key comm) (quantize retval)))
            (clause interval:1s (exit 0))
            """);
  }

  @Test
  void everyExpressionHasAForm() {
    Expr data = call(ContextBuiltins.DATA);
    Expr member = new Expr.Member(data, Expr.Member.Access.ARROW, "filename", AT, AT);
    Expr nested = new Expr.Member(member, Expr.Member.Access.DOT, "name", AT, AT);
    Expr read = new Expr.MapRead(map("m", number(-1), new Expr.Argument(2, AT)), AT);

    assertThat(IrPrinter.print(nested)).isEqualTo("(. (-> data filename) name)");
    assertThat(IrPrinter.print(read)).isEqualTo("(read m (key 18446744073709551615 arg2))");
    assertThat(IrPrinter.print(new Expr.MapRead(map("@x"), AT))).isEqualTo("(read @x)");
    assertThat(IrPrinter.print(new Expr.Unary(UnaryOp.NEGATE, number(5), AT))).isEqualTo("(- 5)");
    assertThat(IrPrinter.print(new Expr.StringLiteral("a\"b\\\n\t\r\u0001é", AT)))
        .isEqualTo("\"a\\\"b\\\\\\n\\t\\r\\x01é\"");
  }

  @Test
  void everyStatementHasAForm() {
    Statement delete = new Statement.Delete(map("m", number(1)), AT);
    Statement store = new Statement.Store(map("m"), number(2), AT);

    assertThat(
            IrPrinter.print(new Statement.If(call(ThreadBuiltins.PID), block(delete), block(), AT)))
        .isEqualTo("(if pid (then (delete m (key 1))))");
    assertThat(IrPrinter.print(new Statement.If(number(1), block(), block(block(store)), AT)))
        .isEqualTo("(if 1 (then) (else (block (store m 2))))");
    assertThat(
            IrPrinter.print(
                new Statement.Aggregate(
                    map("@"), new Aggregation(AggregateFunctions.SUM, List.of(number(3)), AT), AT)))
        .isEqualTo("(update @ (sum 3))");
    assertThat(
            IrPrinter.print(
                new Statement.Aggregate(
                    map("@"), new Aggregation(AggregateFunctions.COUNT, List.of(), AT), AT)))
        .isEqualTo("(update @ (count))");
  }

  @Test
  void whatIsTooLongIsBroken() {
    Expr wide =
        call(
            EventBuiltins.PRINT,
            IntStream.range(0, 8)
                .mapToObj(i -> new Expr.StringLiteral("text " + i, AT))
                .toArray(Expr[]::new));
    Script script =
        new Script(
            List.of(
                clause(
                    new TracerProbe.Begin(),
                    Optional.empty(),
                    run(wide),
                    run(number(1)),
                    run(wide))));

    assertThat(IrPrinter.print(script))
        .isEqualTo(
            """
            (clause BEGIN
              (print "text 0" "text 1" "text 2" "text 3" "text 4" "text 5" "text 6" "text 7")
              1
              (print "text 0" "text 1" "text 2" "text 3" "text 4" "text 5" "text 6" "text 7"))
            """);
  }

  @Test
  void placesInTheSourceDoNotShow() {
    SourceSpan place = new SourceSpan("a.ply", 3, 4, 3, 5);

    assertThat(IrPrinter.print(new Expr.IntLiteral(7, place)))
        .isEqualTo(IrPrinter.print(number(7)));
  }
}
