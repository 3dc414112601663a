package dev.ply.bpf.generate;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.catalog.Builtins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.UnaryOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Arbitrary expressions that are right in a clause on one place, with the maps that {@link
 * TypedStatements} uses.
 */
final class TypedExpressions {
  private static final SourceSpan NONE = SourceSpan.NONE;

  private static final int DEEPEST = 3;

  private final Vocabulary vocabulary;
  private final Repeats<MapRef> saidNumbers = new Repeats<>();
  private final Repeats<MapRef> saidTexts = new Repeats<>();
  private final Arbitrary<MapRef> numberEntries;
  private final Arbitrary<MapRef> textEntries;
  private final List<Arbitrary<Expr>> numbersByDepth = new ArrayList<>();
  private final Arbitrary<Expr> numbers;
  private final Arbitrary<Expr> texts;

  TypedExpressions(Vocabulary vocabulary, Extent extent) {
    this.vocabulary = vocabulary;
    Arbitrary<Expr> keys = Fixed.of(keysOf(vocabulary));
    this.textEntries = saidTexts.of(keys.map(key -> map("texts", key)));
    this.texts = Fixed.of(textsOf(vocabulary, textEntries));
    this.numberEntries =
        saidNumbers.of(
            Combinators.combine(keys, texts).as((number, text) -> map("numbers", number, text)));
    for (int depth = 0; depth <= DEEPEST; depth++) {
      numbersByDepth.add(Fixed.of(numbersOf(depth)));
    }
    List<Arbitrary<Expr>> all = new ArrayList<>(numbersByDepth);
    all.add(new Trees(parts()).ofAnyShape(extent.operands()));
    this.numbers = Fixed.of(Arbitraries.oneOf(all));
  }

  /** Returns values of which each speaks of entries of its own, again and again. */
  <T> Arbitrary<T> afresh(Arbitrary<T> values) {
    return saidTexts.startingWith(saidNumbers.startingWith(values));
  }

  /** Returns the place that the expressions are for. */
  Vocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns numbers of all depths. */
  Arbitrary<Expr> numbers() {
    return numbers;
  }

  /** Returns numbers to make others of. */
  Arbitrary<Expr> parts() {
    return numbersByDepth.get(1);
  }

  /** Returns the map of numbers with its keys. */
  Arbitrary<MapRef> numberEntries() {
    return numberEntries;
  }

  /** Returns the map of texts with its key. */
  Arbitrary<MapRef> textEntries() {
    return textEntries;
  }

  private static Arbitrary<Expr> keysOf(Vocabulary vocabulary) {
    Arbitrary<Expr> simple = Arbitraries.of(vocabulary.numbers());
    return Arbitraries.oneOf(
        simple,
        Combinators.combine(Arbitraries.of(BinaryOp.class), simple, simple)
            .as(TypedExpressions::binary));
  }

  private Arbitrary<Expr> numbersOf(int depth) {
    Arbitrary<Expr> simple =
        Arbitraries.frequencyOf(
            Tuple.of(1, literals()), Tuple.of(2, Arbitraries.of(vocabulary.numbers())));
    if (depth == 0) {
      return simple;
    }
    Arbitrary<Expr> smaller = numbersByDepth.get(depth - 1);
    Arbitrary<UnaryOp> signs = Arbitraries.of(UnaryOp.NEGATE, UnaryOp.COMPLEMENT, UnaryOp.NOT);
    return Arbitraries.frequencyOf(
        Tuple.of(4, simple),
        Tuple.of(
            1, Combinators.combine(signs, smaller).as((op, of) -> new Expr.Unary(op, of, NONE))),
        Tuple.of(
            6,
            Combinators.combine(Arbitraries.of(BinaryOp.class), smaller, smaller)
                .as(TypedExpressions::binary)),
        Tuple.of(1, comparisons()),
        Tuple.of(1, Arbitraries.just(read(map("@last")))),
        Tuple.of(1, numberEntries.map(TypedExpressions::read)),
        Tuple.of(
            1,
            Combinators.combine(smaller, texts())
                .as((number, text) -> read(map("numbers", number, text)))));
  }

  private static Arbitrary<Expr> literals() {
    return Numbers.longs().map(value -> new Expr.IntLiteral(value, NONE));
  }

  /** What is divided by is no constant zero, which the language refuses. */
  static Expr binary(BinaryOp op, Expr left, Expr right) {
    boolean divides = op == BinaryOp.DIV || op == BinaryOp.MOD;
    Expr safe = divides && isZero(right) ? new Expr.IntLiteral(1, NONE) : right;
    return new Expr.Binary(op, left, safe, NONE);
  }

  private static boolean isZero(Expr expr) {
    return expr instanceof Expr.IntLiteral literal
        ? literal.value() == 0
        : expr instanceof Expr.Unary minus
            && minus.op() == UnaryOp.NEGATE
            && isZero(minus.operand());
  }

  private Arbitrary<Expr> comparisons() {
    Arbitrary<Expr> texts = texts();
    List<Arbitrary<Expr>> kinds = new ArrayList<>();
    kinds.add(
        Combinators.combine(Arbitraries.of(BinaryOp.EQ, BinaryOp.NE), texts, texts)
            .as((op, left, right) -> new Expr.Binary(op, left, right, NONE)));
    Arbitrary<Expr> pairs =
        Combinators.combine(Arbitraries.of(vocabulary.numbers()), texts)
            .as(
                (number, text) ->
                    new Expr.Conditional(
                        number,
                        Optional.of(read(map("@pairs", number))),
                        new Expr.Tuple(List.of(number, text), NONE),
                        NONE));
    kinds.add(
        Combinators.combine(Arbitraries.of(BinaryOp.EQ, BinaryOp.NE), pairs, pairs)
            .as((op, left, right) -> new Expr.Binary(op, left, right, NONE)));
    kinds.add(
        Combinators.combine(Arbitraries.of(BinaryOp.EQ, BinaryOp.NE), pairs, texts)
            .as((op, pair, text) -> new Expr.Binary(op, element(pair, 1), text, NONE)));
    kinds.add(pairs.map(pair -> element(pair, 0)));
    for (Builtin search : List.of(StringBuiltins.STRCONTAINS, StringBuiltins.STRSTR)) {
      Arbitrary<Expr> searched =
          Arbitraries.oneOf(
              Numbers.texts(3).map(text -> new Expr.StringLiteral(text, NONE)),
              Numbers.texts(15).map(text -> new Expr.StringLiteral(text, NONE)),
              Arbitraries.just(new Expr.Call(ThreadBuiltins.COMM, List.of(), NONE)));
      kinds.add(
          Combinators.combine(texts, searched)
              .as((text, part) -> new Expr.Call(search, List.of(text, part), NONE)));
    }
    for (Builtin function : Builtins.all()) {
      if (function == StringBuiltins.STRCONTAINS
          || function == StringBuiltins.STRSTR
          || function == StringBuiltins.STR_CONCAT
          || function.signature().has(Parameter.SCRATCH)) {
        continue;
      }
      if (function.signature().has(Parameter.STRING) || function.signature().has(Parameter.ENTRY)) {
        kinds.add(
            Combinators.combine(
                    function.signature().parameters().stream().map(this::argument).toList())
                .as(arguments -> new Expr.Call(function, arguments, NONE)));
      }
    }
    return Arbitraries.oneOf(kinds);
  }

  private static Expr element(Expr tuple, int index) {
    return new Expr.Member(tuple, Expr.Member.Access.DOT, Integer.toString(index), NONE, NONE);
  }

  private Arbitrary<Expr> argument(Parameter parameter) {
    return switch (parameter) {
      case STRING -> texts();
      case LITERAL ->
          Arbitraries.strings()
              .withChars("ab*?[]!-\\d")
              .ofMaxLength(8)
              .map(text -> new Expr.StringLiteral(text, NONE));
      case SIZE -> Arbitraries.of(1L, 3L, 8L, 64L).map(size -> new Expr.IntLiteral(size, NONE));
      case NUMBER, CONSTANT ->
          Arbitraries.of(0L, 1L, 3L).map(value -> new Expr.IntLiteral(value, NONE));
      case ENTRY ->
          Arbitraries.oneOf(
              numberEntries.map(TypedExpressions::read),
              textEntries.map(TypedExpressions::read),
              Arbitraries.of(vocabulary.numbers()).map(key -> read(map("@sum", key))));
      case VALUE,
          ADDRESS,
          DEPTH,
          STACK_MODE,
          STACK_SIDES,
          PID_SCOPE,
          SYMBOL,
          CGROUP,
          DYNAMIC_FIELD,
          MAP,
          SCRATCH,
          CLOCK,
          FORMAT ->
          throw new IllegalArgumentException("no generated argument is " + parameter);
    };
  }

  /** Returns texts. */
  Arbitrary<Expr> texts() {
    return texts;
  }

  private static Arbitrary<Expr> textsOf(Vocabulary vocabulary, Arbitrary<MapRef> entries) {
    Arbitrary<Expr> literals = Numbers.texts(15).map(text -> new Expr.StringLiteral(text, NONE));
    Arbitrary<Expr> values = Arbitraries.of(vocabulary.texts());
    return Arbitraries.frequencyOf(
        Tuple.of(2, literals),
        Tuple.of(3, values),
        Tuple.of(1, entries.map(TypedExpressions::read)),
        Tuple.of(
            1,
            Combinators.combine(values, literals)
                .as(
                    (start, end) ->
                        new Expr.Call(StringBuiltins.STR_CONCAT, List.of(start, end), NONE))));
  }

  private static Expr read(MapRef map) {
    return new Expr.MapRead(map, NONE);
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, List.of(keys), NONE);
  }
}
