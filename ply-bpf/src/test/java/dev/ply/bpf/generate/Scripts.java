package dev.ply.bpf.generate;

import dev.ply.ir.Aggregation;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.MapRef;
import dev.ply.ir.Script;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Makes random scripts of everything the language has, all of them right. */
public final class Scripts {
  private static final SourceSpan NONE = SourceSpan.NONE;

  private final Random random;
  private final int size;

  /** A source of scripts whose expressions have up to {@code size} operands. */
  public Scripts(Random random, int size) {
    this.random = random;
    this.size = size;
  }

  /** Returns a script of one to four clauses behind one that gives all maps their types. */
  public Script script() {
    List<Clause> clauses = new ArrayList<>();
    clauses.add(clause(new AttachPoint.Begin(), Optional.empty(), stores()));
    List<Part> parts = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      AttachPoint point = Scene.POINTS.get(random.nextInt(Scene.POINTS.size()));
      Scene scene = new Scene(random, point);
      Part part = new Part(scene, new Expressions(random, scene));
      scene.offerInteger(new Expr.MapRead(part.numbers(), NONE));
      scene.offerText(new Expr.MapRead(part.texts(), NONE));
      scene.offerInteger(read("@last"));
      scene.offerInteger(call(Intrinsic.STACK));
      Optional<Expr> predicate =
          random.nextInt(3) == 0 ? Optional.of(part.integer()) : Optional.empty();
      clauses.add(clause(point, predicate, part.statements(3)));
      parts.add(part);
    }
    for (int i = 0; i < count; i++) {
      Clause clause = clauses.get(i + 1);
      List<Statement> body = new ArrayList<>(clause.body().statements());
      body.addAll(random.nextInt(body.size() + 1), parts.get(i).interruptions());
      clauses.set(i + 1, clause(clause.point(), clause.predicate(), body));
    }
    return new Script(clauses);
  }

  private static List<Statement> stores() {
    Expr one = new Expr.IntLiteral(1, NONE);
    Expr text = new Expr.StringLiteral("text", NONE);
    return List.of(
        new Statement.Store(new MapRef("numbers", List.of(one, text), NONE), one, NONE),
        new Statement.Store(new MapRef("texts", List.of(one), NONE), text, NONE),
        new Statement.Store(new MapRef("@last", List.of(), NONE), one, NONE));
  }

  private static Clause clause(AttachPoint point, Optional<Expr> predicate, List<Statement> body) {
    return new Clause(point, NONE, predicate, new Statement.Block(body, NONE), NONE);
  }

  private static Expr read(String map) {
    return new Expr.MapRead(new MapRef(map, List.of(), NONE), NONE);
  }

  private static Expr call(Intrinsic function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), NONE);
  }

  /** What can be said in one clause. */
  private final class Part {
    private final Scene scene;
    private final Expressions expressions;

    Part(Scene scene, Expressions expressions) {
      this.scene = scene;
      this.expressions = expressions;
    }

    Expr integer() {
      return expressions.integer(1 + random.nextInt(size));
    }

    MapRef numbers() {
      return new MapRef("numbers", List.of(integer(), scene.text()), NONE);
    }

    MapRef texts() {
      return new MapRef("texts", List.of(integer()), NONE);
    }

    List<Statement> statements(int depth) {
      List<Statement> statements = new ArrayList<>();
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        statements.add(statement(depth));
      }
      return statements;
    }

    /** Returns what ends clauses early, and what user space does to maps meanwhile. */
    List<Statement> interruptions() {
      Statement leave = new Statement.Return(NONE);
      return switch (random.nextInt(5)) {
        case 0 -> List.of(evaluate(call(Intrinsic.PRINT, read("numbers"), read("texts"))));
        case 1 -> List.of(evaluate(call(Intrinsic.CLEAR, read("numbers"))));
        case 2 -> List.of(leave);
        case 3 -> {
          Statement.Block early = new Statement.Block(List.of(leave), NONE);
          yield List.of(new Statement.If(integer(), early, block(1), NONE));
        }
        default -> List.of();
      };
    }

    private Statement.Block block(int depth) {
      return new Statement.Block(statements(depth), NONE);
    }

    private Statement statement(int depth) {
      int kinds = depth == 0 ? 12 : 14;
      return switch (random.nextInt(kinds)) {
        case 0 -> new Statement.Store(numbers(), integer(), NONE);
        case 1 -> new Statement.Store(texts(), scene.text(), NONE);
        case 2 -> new Statement.Store(new MapRef("@last", List.of(), NONE), integer(), NONE);
        case 3 -> new Statement.Delete(random.nextBoolean() ? numbers() : texts(), NONE);
        case 4 -> update("@", new Aggregation.Count(NONE));
        case 5 -> update("@total", new Aggregation.Sum(integer(), NONE));
        case 6 -> update("@sum", new Aggregation.Sum(integer(), NONE), integer());
        case 7 -> update("@count", new Aggregation.Count(NONE), scene.text(), integer());
        case 8 -> update("@sizes", new Aggregation.Quantize(integer(), NONE), scene.text());
        case 9 -> update("@all", new Aggregation.Quantize(integer(), NONE));
        case 10 -> evaluate(print());
        case 11 ->
            evaluate(
                random.nextInt(4) == 0
                    ? call(Intrinsic.EXIT, integer())
                    : call(
                        Intrinsic.PRINTF,
                        new Expr.StringLiteral("%d %s %v\n", NONE),
                        integer(),
                        scene.text(),
                        integer()));
        default -> new Statement.If(integer(), block(depth - 1), block(depth - 1), NONE);
      };
    }

    private Statement update(String map, Aggregation aggregation, Expr... keys) {
      return new Statement.Aggregate(new MapRef(map, List.of(keys), NONE), aggregation, NONE);
    }

    private Statement evaluate(Expr call) {
      return new Statement.Evaluate(call, NONE);
    }

    private Expr context(Intrinsic pointer) {
      Expr context = call(pointer);
      return random.nextBoolean() ? context : new Expr.Unary(UnaryOp.DEREFERENCE, context, NONE);
    }

    private Expr print() {
      List<Expr> arguments = new ArrayList<>(List.of(integer(), scene.text(), read("@last")));
      if (scene.point() instanceof AttachPoint.Tracepoint) {
        arguments.add(context(Intrinsic.DATA));
      } else if (scene.point() instanceof AttachPoint.Kprobe) {
        arguments.add(context(Intrinsic.REGS));
      }
      return new Expr.Call(
          Intrinsic.PRINT, arguments.subList(0, 1 + random.nextInt(arguments.size())), NONE);
    }
  }
}
