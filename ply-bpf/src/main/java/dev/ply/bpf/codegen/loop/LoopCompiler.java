package dev.ply.bpf.codegen.loop;

import dev.ply.analysis.typing.LocalVariable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.Closure;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.Setting;
import dev.ply.result.Loss;
import dev.ply.type.Type.IntType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Compiles loops of few rounds to jumps, and others to a function that a helper repeats, where the
 * kernel has it (Linux 5.17): verifiers follow each round of jumps. A loop that reaches its maximum
 * number of iterations is stopped, which is counted as a loss.
 */
public final class LoopCompiler {
  /** The maximum number of iterations by jumps, nested loops multiplied. */
  static final int MOST_BY_JUMPS = 1024;

  /**
   * The usual maximum number of iterations by the helper: a loop that does not end takes some
   * milliseconds of whoever hits the probe.
   */
  static final int MOST_BY_HELPER = 1 << 20;

  /** The helper's own maximum (BPF_MAX_LOOPS); one more round finds that the loop is stopped. */
  static final int HELPER_LIMIT = (1 << 23) - 1;

  /** More rounds than any maximum. */
  static final long UNKNOWN = Integer.MAX_VALUE;

  /** The functions that can be active at a time (MAX_CALL_FRAMES). */
  private static final int MOST_FRAMES = 8;

  /** Which argument of a repeated function the context is; the first is the round's number. */
  private static final int LOOP_CONTEXT = 2;

  private final ClauseCode clause;
  private final CodeBuilder code;
  private final LossCounter losses;

  /** The enclosing loops, innermost first. */
  private final Deque<Exits> loops = new ArrayDeque<>();

  /** The rounds by jumps so far: of all enclosing loops, multiplied. */
  private long jumpedRounds = 1;

  /** The labels of a loop's next iteration and its end. */
  record Exits(Label next, Label end) {}

  /** Generates the loops of a clause. */
  public LoopCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.losses = new LossCounter(clause.code(), clause.object());
  }

  /**
   * Returns whether a helper repeats the body: verifiers follow each round of other loops, and in
   * each of these the loops over maps.
   *
   * @param rounds how often, if known
   */
  private boolean isRepeatedByHelper(Statement.Block body, long rounds) {
    return clause.script().target().hasLoopHelper()
        && clause.memory().depth() < MOST_FRAMES
        && (MapLoops.isIn(body) || rounds * jumpedRounds > MOST_BY_JUMPS / NestedRounds.of(body));
  }

  private OptionalInt setting() {
    return clause.script().configuration().number(Setting.MAX_LOOP_ITERATIONS);
  }

  /** Returns the maximum number of iterations of a loop by the helper. */
  private int mostByHelper() {
    return Math.min(HELPER_LIMIT, setting().orElse(MOST_BY_HELPER));
  }

  /** Compiles the rounds of a loop by jumps. */
  private void byJumps(long rounds, Runnable body) {
    long outer = jumpedRounds;
    jumpedRounds = Math.min(MOST_BY_JUMPS + 1, outer * Math.min(MOST_BY_JUMPS + 1, rounds));
    body.run();
    jumpedRounds = outer;
  }

  /** Compiles a loop that a helper repeats at most {@code rounds} times. */
  private void repeat(int rounds, Consumer<Closure> round) {
    new Closure(clause.memory(), code, clause.object())
        .call(Helper.LOOP, code.value(rounds), LOOP_CONTEXT, round);
  }

  private void round(Statement.Block body, Exits exits) {
    body(body, exits);
    code.place(exits.next());
    code.exit(Closure.CONTINUE);
    code.place(exits.end());
    code.exit(Closure.STOP);
  }

  /** Compiles a loop with a condition. */
  public void compile(Statement.While node) {
    if (isRepeatedByHelper(node.body(), UNKNOWN)) {
      int most = mostByHelper();
      repeat(
          most + 1,
          closure -> {
            Exits exits = new Exits(code.label("next"), code.label("endloop"));
            Register index = closure.argument(1);
            code.mark(node.condition().span());
            clause.compileCondition(node.condition(), exits.end());
            limit(index, most, exits.end());
            clause.compileWhere(node.condition(), () -> round(node.body(), exits));
          });
      return;
    }
    Label head = code.label("loop");
    Label end = code.label("endloop");
    Register rounds = code.fresh();
    code.move(rounds, new Immediate(0));
    code.place(head);
    code.mark(node.condition().span());
    clause.compileCondition(node.condition(), end);
    countRound(rounds, end);
    byJumps(
        UNKNOWN,
        () -> clause.compileWhere(node.condition(), () -> body(node.body(), new Exits(head, end))));
    code.jump(head);
    code.place(end);
  }

  /** Compiles a loop over a range. */
  public void compile(Statement.ForRange node, LocalVariable variable) {
    Label head = code.label("loop");
    Label end = code.label("endloop");
    Register next = code.fresh();
    Register rounds = code.fresh();
    code.mark(node.span());
    ScalarCode from = clause.expressions().scalar(node.from(), IntType.S64);
    ScalarCode to = clause.expressions().scalar(node.to(), IntType.S64);
    long known = rounds(from, to);
    boolean isCounted = known > MOST_BY_JUMPS;
    Operand last = clause.arithmetic().operand(to);
    code.move(next, clause.arithmetic().copy(from));
    if (isRepeatedByHelper(node.body(), known)) {
      code.move(clause.variables().register(variable), next);
      // Comparisons that the script writes are intended.
      int most = known <= HELPER_LIMIT && setting().isEmpty() ? HELPER_LIMIT : mostByHelper();
      repeat(
          most + 1,
          closure -> {
            Exits exits = new Exits(code.label("next"), code.label("endloop"));
            Register index = closure.argument(1);
            code.jump(Width.W64, JumpOp.JSGE, next, last, exits.end());
            if (isCounted) {
              limit(index, most, exits.end());
            }
            code.move(clause.variables().register(variable), next);
            code.alu(Width.W64, AluOp.ADD, next, 1);
            round(node.body(), exits);
          });
      return;
    }
    if (isCounted) {
      code.move(rounds, new Immediate(0));
    }
    code.place(head);
    code.jump(Width.W64, JumpOp.JSGE, next, last, end);
    if (isCounted) {
      countRound(rounds, end);
    }
    code.move(clause.variables().register(variable), next);
    code.alu(Width.W64, AluOp.ADD, next, 1);
    byJumps(known, () -> body(node.body(), new Exits(head, end)));
    code.jump(head);
    code.place(end);
  }

  /** Returns the number of rounds of a range, if it is known. */
  private static long rounds(ScalarCode from, ScalarCode to) {
    return from instanceof ScalarCode.Constant first && to instanceof ScalarCode.Constant last
        ? rounds(first.value(), last.value())
        : UNKNOWN;
  }

  /** Returns the number of rounds of a range, at most {@link #UNKNOWN}. */
  static long rounds(long from, long to) {
    long rounds = to - from;
    boolean isOverflow = to > from && rounds < 0;
    return isOverflow ? UNKNOWN : Math.min(UNKNOWN, Math.max(0, rounds));
  }

  private void countRound(Register rounds, Label end) {
    limit(rounds, setting().orElse(MOST_BY_JUMPS), end);
    code.alu(Width.W64, AluOp.ADD, rounds, 1);
  }

  /** Stops a loop that has run the maximum number of rounds. */
  private void limit(Register rounds, int most, Label end) {
    Label stopped = code.label("stopped");
    code.jump(Width.W64, JumpOp.JGE, rounds, new Immediate(most), stopped);
    code.outOfLine(
        () -> {
          code.place(stopped);
          losses.count(Loss.LOOPS, end);
        });
  }

  /** Compiles an unrolled loop. */
  public void compile(Statement.Unroll node) {
    Label end = code.label("endloop");
    long count = ((Expr.IntLiteral) node.count()).value();
    for (long i = 0; i < count; i++) {
      Label next = code.label("next");
      body(node.body(), new Exits(next, end));
      code.place(next);
    }
    code.place(end);
  }

  /** Compiles the body of a loop. */
  void body(Statement.Block body, Exits exits) {
    loops.push(exits);
    clause.compileLoopBody(body);
    loops.pop();
  }

  /** Leaves the innermost loop. */
  public void leave() {
    code.jump(loops.element().end());
  }

  /** Starts the next iteration of the innermost loop. */
  public void next() {
    code.jump(loops.element().next());
  }
}
