package dev.ply.ir.generate;

import dev.ply.builtin.Parameter;
import dev.ply.builtin.catalog.Builtins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.StepOp;
import dev.ply.ir.TypeName;
import dev.ply.ir.UnaryOp;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary expressions, of any kind but not of any type. */
public final class Expressions {
  /** By depth. Made once: the engine compares arbitraries part by part before it uses them. */
  private static final List<Arbitrary<Expr>> LEVELS = levels(2);

  private Expressions() {}

  /** Returns expressions up to a few levels deep. */
  public static Arbitrary<Expr> any() {
    return LEVELS.get(LEVELS.size() - 1);
  }

  private static List<Arbitrary<Expr>> levels(int depth) {
    List<Arbitrary<Expr>> levels = new ArrayList<>();
    levels.add(leaves());
    for (int i = 1; i <= depth; i++) {
      levels.add(above(levels.get(i - 1)));
    }
    return List.copyOf(levels);
  }

  private static Arbitrary<Expr> above(Arbitrary<Expr> inner) {
    return Arbitraries.frequencyOf(
        Tuple.of(3, leaves()),
        Tuple.of(2, calls(inner)),
        Tuple.of(2, entries(inner).map(Expressions::read)),
        Tuple.of(2, members(inner)),
        Tuple.of(2, unary(inner)),
        Tuple.of(1, casts(inner)),
        Tuple.of(1, inner.map(operand -> new Expr.SizeOf(operand, SourceSpan.NONE))),
        Tuple.of(1, choices(inner)),
        Tuple.of(1, steps()),
        Tuple.of(1, tuples(inner)),
        Tuple.of(4, binary(inner)));
  }

  private static Arbitrary<Expr> leaves() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(value -> new Expr.IntLiteral(value, SourceSpan.NONE)),
        Arbitraries.integers()
            .between(0, 10)
            .map(value -> new Expr.IntLiteral(value, SourceSpan.NONE)),
        texts().map(text -> new Expr.StringLiteral(text, SourceSpan.NONE)),
        Arbitraries.of(Builtins.all())
            .filter(function -> function != ThreadBuiltins.COMM_OF)
            .map(function -> new Expr.Call(function, List.of(), SourceSpan.NONE)),
        Arbitraries.integers()
            .between(0, 99)
            .map(index -> new Expr.Argument(index, SourceSpan.NONE)),
        Names.variables().map(name -> new Expr.VariableRead(name, SourceSpan.NONE)),
        types().map(Expressions::measured),
        Names.aggregations().map(name -> read(new MapRef(name, List.of(), SourceSpan.NONE))));
  }

  /** Pointers have sizes; of other types members have offsets, too. */
  private static Expr measured(TypeName type) {
    return type.pointers() > 0
        ? new Expr.SizeOfType(type, SourceSpan.NONE)
        : new Expr.OffsetOf(type, List.of("a", "b"), SourceSpan.NONE);
  }

  /** Returns texts with everything that needs an escape. */
  public static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(6),
        Arbitraries.strings()
            .withChars("\"\\\n\r\t\0\b017abx%#/*{}é€".toCharArray())
            .ofMaxLength(8));
  }

  private static Arbitrary<Expr> calls(Arbitrary<Expr> inner) {
    return Combinators.combine(
            // With an argument, "comm" is the other of the name.
            Arbitraries.of(Builtins.all()).filter(function -> function != ThreadBuiltins.COMM),
            inner.list().ofMinSize(1).ofMaxSize(3),
            entries(inner).map(Expressions::read))
        .as(
            (function, arguments, entry) ->
                new Expr.Call(
                    function,
                    function.signature().has(Parameter.ENTRY) ? List.of(entry) : arguments,
                    SourceSpan.NONE));
  }

  /** Returns entries of maps of both kinds, with one to three keys. */
  public static Arbitrary<MapRef> entries() {
    return entries(LEVELS.get(1));
  }

  private static Arbitrary<MapRef> entries(Arbitrary<Expr> inner) {
    return Combinators.combine(
            Arbitraries.oneOf(Names.free(), Names.aggregations()),
            inner.list().ofMinSize(1).ofMaxSize(3))
        .as((name, keys) -> new MapRef(name, keys, SourceSpan.NONE));
  }

  private static Expr read(MapRef map) {
    return new Expr.MapRead(map, SourceSpan.NONE);
  }

  private static Arbitrary<Expr> members(Arbitrary<Expr> inner) {
    return Combinators.combine(
            inner,
            Arbitraries.of(Expr.Member.Access.class),
            Arbitraries.oneOf(
                Names.free(),
                Arbitraries.of("if", "else", "delete", "return", "pid", "BEGIN", "0", "12")))
        .as(
            (base, access, name) ->
                new Expr.Member(base, access, name, SourceSpan.NONE, SourceSpan.NONE));
  }

  private static Arbitrary<Expr> unary(Arbitrary<Expr> inner) {
    return Combinators.combine(Arbitraries.of(UnaryOp.class), inner)
        .as((op, operand) -> new Expr.Unary(op, operand, SourceSpan.NONE));
  }

  private static Arbitrary<Expr> casts(Arbitrary<Expr> inner) {
    return Combinators.combine(types(), inner)
        .as((type, operand) -> new Expr.Cast(type, operand, SourceSpan.NONE));
  }

  /** Returns names of types. */
  public static Arbitrary<TypeName> types() {
    return Combinators.combine(
            Arbitraries.of("int8", "uint64", "unsigned long", "struct sock", "char"),
            Arbitraries.integers().between(0, 2))
        .as(TypeName::new);
  }

  private static Arbitrary<Expr> tuples(Arbitrary<Expr> inner) {
    Arbitrary<List<String>> names =
        Arbitraries.oneOf(
            Arbitraries.just(List.of()), Arbitraries.just(List.of("x", "pid", "probe_1")));
    return Combinators.combine(names, inner.list().ofMinSize(1).ofMaxSize(3))
        .as(
            (some, elements) ->
                new Expr.Tuple(
                    some.isEmpty() ? some : some.subList(0, elements.size()),
                    elements,
                    SourceSpan.NONE));
  }

  private static Arbitrary<Expr> choices(Arbitrary<Expr> inner) {
    return Combinators.combine(inner, inner.optional(0.7), inner)
        .as(
            (condition, then, otherwise) ->
                new Expr.Conditional(condition, then, otherwise, SourceSpan.NONE));
  }

  /** Two signs before a map without {@code @} are none of these: they are not generated. */
  private static Arbitrary<Expr> steps() {
    Arbitrary<Expr> targets =
        Arbitraries.oneOf(
            Names.variables().map(name -> new Expr.VariableRead(name, SourceSpan.NONE)),
            Names.aggregations().map(name -> read(new MapRef(name, List.of(), SourceSpan.NONE))));
    return Combinators.combine(Arbitraries.of(StepOp.class), targets)
        .as((op, target) -> new Expr.Step(op, target, SourceSpan.NONE));
  }

  private static Arbitrary<Expr> binary(Arbitrary<Expr> inner) {
    return Combinators.combine(Arbitraries.of(BinaryOp.class), inner, inner)
        .as((op, left, right) -> new Expr.Binary(op, left, right, SourceSpan.NONE));
  }
}
