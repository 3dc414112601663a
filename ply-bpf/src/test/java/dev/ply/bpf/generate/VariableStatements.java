package dev.ply.bpf.generate;

import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.StepOp;
import dev.ply.ir.TypeName;
import dev.ply.ir.UnaryOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary blocks with scratch variables of their own, and what is done with these: loops too. */
final class VariableStatements {
  private static final SourceSpan NONE = SourceSpan.NONE;
  private static final MapRef LAST = new MapRef("@last", List.of(), NONE);
  private static final int MOST = 4;

  private final TypedExpressions expressions;
  private final boolean hasLoops;

  /** What counts rounds: loops within loops must not count for them. */
  private final String round;

  /** Blocks with others in them to that depth. */
  VariableStatements(TypedExpressions expressions, int depth, boolean hasLoops) {
    this.hasLoops = hasLoops;
    this.expressions = expressions;
    this.round = "$w" + depth;
  }

  /** Returns blocks that declare variables and use them, with others in their loops. */
  Arbitrary<Statement> blocks(Arbitrary<Statement.Block> inner) {
    return Combinators.combine(
            expressions.numbers(),
            expressions.texts(),
            Fixed.of(uses(inner)).list().ofMaxSize(MOST))
        .as(
            (number, text, uses) -> {
              List<Statement> all = new ArrayList<>();
              all.add(assign("$n", new Expr.Cast(new TypeName("int64", 0), number, NONE)));
              all.add(assign("$t", text));
              all.addAll(uses);
              all.add(call(List.of(read("$n"), read("$t"))));
              return block(all);
            });
  }

  private Arbitrary<Statement> uses(Arbitrary<Statement.Block> inner) {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Fixed.of(assignments())),
        Tuple.of(3, Fixed.of(steps())),
        Tuple.of(3, Fixed.of(changes())),
        Tuple.of(4, Fixed.of(hasLoops ? loops(inner) : steps())));
  }

  private Arbitrary<Expr> values() {
    Arbitrary<Expr> number = expressions.numbers();
    return Arbitraries.oneOf(
        Combinators.combine(Arbitraries.of(BinaryOp.class), number)
            .as((op, right) -> TypedExpressions.binary(op, read("$n"), right)),
        Combinators.combine(Arbitraries.of(BinaryOp.class), number)
            .as((op, left) -> TypedExpressions.binary(op, left, read("$n"))),
        Combinators.combine(number, number.optional(0.7), number)
            .as((condition, then, other) -> new Expr.Conditional(condition, then, other, NONE)),
        Combinators.combine(
                Arbitraries.of(
                    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"),
                number)
            .as((type, operand) -> new Expr.Cast(new TypeName(type, 0), operand, NONE)),
        Combinators.combine(Arbitraries.of(StepOp.class), number)
            .as(
                (op, right) ->
                    TypedExpressions.binary(
                        BinaryOp.ADD, new Expr.Step(op, read("$n"), NONE), right)));
  }

  private Arbitrary<Statement> assignments() {
    return Arbitraries.frequencyOf(
        Tuple.of(15, ordinaryAssignments()),
        Tuple.of(
            1,
            Arbitraries.oneOf(
                values()
                    .map(
                        value ->
                            assign(
                                "$n",
                                TypedExpressions.binary(BinaryOp.XOR, pointedTo("$n"), value))),
                Arbitraries.just(assign("$t", pointedTo("$t"))))));
  }

  /** Takes an address, which keeps the variable in memory, and reads it. */
  private static Expr pointedTo(String variable) {
    return new Expr.Unary(
        UnaryOp.DEREFERENCE, new Expr.Unary(UnaryOp.ADDRESS_OF, read(variable), NONE), NONE);
  }

  private Arbitrary<Statement> ordinaryAssignments() {
    return Arbitraries.oneOf(
        values().map(value -> assign("$n", value)),
        expressions.texts().map(text -> assign("$t", text)),
        Combinators.combine(expressions.numbers(), expressions.texts())
            .as(
                (condition, text) ->
                    assign(
                        "$t",
                        new Expr.Conditional(condition, Optional.of(text), read("$t"), NONE))),
        values().map(value -> new Statement.Store(LAST, value, NONE)));
  }

  private Arbitrary<Statement> steps() {
    return Combinators.combine(Arbitraries.of(StepOp.class), Arbitraries.of(true, false))
        .as(
            (op, isMap) ->
                new Statement.Evaluate(
                    new Expr.Step(op, isMap ? new Expr.MapRead(LAST, NONE) : read("$n"), NONE),
                    NONE));
  }

  private Arbitrary<Statement> changes() {
    Arbitrary<BinaryOp> ops =
        Arbitraries.of(
            BinaryOp.ADD,
            BinaryOp.SUB,
            BinaryOp.MUL,
            BinaryOp.AND,
            BinaryOp.OR,
            BinaryOp.XOR,
            BinaryOp.SHL,
            BinaryOp.SHR);
    return Combinators.combine(
            Arbitraries.oneOf(Arbitraries.just(LAST), expressions.numberEntries()), ops, values())
        .as((map, op, value) -> new Statement.Update(map, op, value, NONE));
  }

  private Arbitrary<Statement> loops(Arbitrary<Statement.Block> inner) {
    return Arbitraries.oneOf(
        Combinators.combine(Arbitraries.integers().between(0, 5), inner, jumps())
            .as(VariableStatements::forLoop),
        Combinators.combine(Arbitraries.integers().between(0, 5), inner, jumps())
            .as(this::whileLoop),
        Combinators.combine(Arbitraries.integers().between(1, 3), inner, jumps())
            .as(
                (count, body, jump) ->
                    new Statement.Unroll(literal(count), block(List.of(jump, body)), NONE)));
  }

  private static Statement forLoop(int count, Statement.Block body, Statement jump) {
    Statement sum = assign("$n", new Expr.Binary(BinaryOp.ADD, read("$n"), read("$i"), NONE));
    return new Statement.ForRange(
        "$i", literal(0), literal(count), block(List.of(sum, jump, body)), NONE);
  }

  private Statement whileLoop(int count, Statement.Block body, Statement jump) {
    Expr condition =
        new Expr.Binary(
            BinaryOp.LT,
            new Expr.Step(StepOp.POST_INCREMENT, read(round), NONE),
            literal(count),
            NONE);
    return block(
        List.of(
            assign(round, literal(0)),
            new Statement.While(condition, block(List.of(body, jump)), NONE)));
  }

  /** Leaves a loop or a round of it where a condition holds. */
  private Arbitrary<Statement> jumps() {
    return Combinators.combine(
            expressions.parts(),
            Arbitraries.of(new Statement.Break(NONE), new Statement.Continue(NONE)))
        .as(
            (condition, jump) ->
                new Statement.If(condition, block(List.of(jump)), block(List.of()), NONE));
  }

  /** Each use of a variable is a node of its own: it may mean another in another block. */
  private static Expr read(String variable) {
    return new Expr.VariableRead(variable, NONE);
  }

  private static Expr literal(long value) {
    return new Expr.IntLiteral(value, NONE);
  }

  private static Statement assign(String name, Expr value) {
    return new Statement.Assign(name, NONE, value, NONE);
  }

  private static Statement call(List<Expr> arguments) {
    return new Statement.Evaluate(new Expr.Call(EventBuiltins.PRINT, arguments, NONE), NONE);
  }

  private static Statement.Block block(List<Statement> statements) {
    return new Statement.Block(statements, NONE);
  }
}
