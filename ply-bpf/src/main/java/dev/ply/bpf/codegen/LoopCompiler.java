package dev.ply.bpf.codegen;

import dev.ply.analysis.LocalVariable;
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
import dev.ply.type.Type.IntType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Compiles loops to jumps, or, with loops over maps in them, to a function that a helper repeats.
 * The verifier must see that they terminate: a loop with an unknown number of iterations is stopped
 * after {@value #MOST_ROUNDS}, which is counted as a loss.
 */
final class LoopCompiler {
  /** The maximum number of iterations. */
  static final int MOST_ROUNDS = 1024;

  /** Which argument of a repeated function the context is; the first is the round's number. */
  private static final int LOOP_CONTEXT = 2;

  private final ClauseCompiler clause;
  private final CodeBuilder code;
  private final LossCounter losses;

  /** The enclosing loops, innermost first. */
  private final Deque<Exits> loops = new ArrayDeque<>();

  /** The labels of a loop's next iteration and its end. */
  record Exits(Label next, Label end) {}

  LoopCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
    this.losses = new LossCounter(clause.code(), clause.object());
  }

  /**
   * Returns whether a helper repeats the body: verifiers follow each round of other loops, and in
   * each of these the loops over maps.
   */
  private boolean isRepeatedByHelper(Statement.Block body) {
    return clause.script().target().hasLoopHelper() && MapLoops.isIn(body);
  }

  /** Compiles a loop that a helper repeats at most {@code rounds} times. */
  private void repeat(int rounds, Consumer<Closure> round) {
    new Closure(clause.memory(), code).call(Helper.LOOP, code.value(rounds), LOOP_CONTEXT, round);
  }

  private void round(Statement.Block body, Exits exits) {
    body(body, exits);
    code.place(exits.next());
    code.exit(Closure.CONTINUE);
    code.place(exits.end());
    code.exit(Closure.STOP);
  }

  /** Compiles a loop with a condition. */
  void compile(Statement.While node) {
    if (isRepeatedByHelper(node.body())) {
      repeat(
          MOST_ROUNDS + 1,
          closure -> {
            Exits exits = new Exits(code.label("next"), code.label("endloop"));
            Register index = closure.argument(1);
            code.mark(node.condition().span());
            clause.compileCondition(node.condition(), exits.end());
            limit(index, exits.end());
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
    clause.compileWhere(node.condition(), () -> body(node.body(), new Exits(head, end)));
    code.jump(head);
    code.place(end);
  }

  /** Compiles a loop over a range. */
  void compile(Statement.ForRange node, LocalVariable variable) {
    Label head = code.label("loop");
    Label end = code.label("endloop");
    Register next = code.fresh();
    Register rounds = code.fresh();
    code.mark(node.span());
    ScalarCode from = clause.expressions().scalar(node.from(), IntType.S64);
    ScalarCode to = clause.expressions().scalar(node.to(), IntType.S64);
    boolean isCounted = !isShort(from, to);
    Operand last = clause.arithmetic().operand(to);
    code.move(next, clause.arithmetic().copy(from));
    if (isRepeatedByHelper(node.body())) {
      code.move(clause.variables().register(variable), next);
      repeat(
          MOST_ROUNDS + 1,
          closure -> {
            Exits exits = new Exits(code.label("next"), code.label("endloop"));
            Register index = closure.argument(1);
            code.jump(Width.W64, JumpOp.JSGE, next, last, exits.end());
            if (isCounted) {
              limit(index, exits.end());
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
    body(node.body(), new Exits(head, end));
    code.jump(head);
    code.place(end);
  }

  private static boolean isShort(ScalarCode from, ScalarCode to) {
    return from instanceof ScalarCode.Constant first
        && to instanceof ScalarCode.Constant last
        && (last.value() <= first.value()
            || (last.value() - first.value() > 0 && last.value() - first.value() <= MOST_ROUNDS));
  }

  private void countRound(Register rounds, Label end) {
    limit(rounds, end);
    code.alu(Width.W64, AluOp.ADD, rounds, 1);
  }

  /** Stops a loop that has run the maximum number of rounds. */
  private void limit(Register rounds, Label end) {
    Label stopped = code.label("stopped");
    code.jump(Width.W64, JumpOp.JGE, rounds, new Immediate(MOST_ROUNDS), stopped);
    code.outOfLine(
        () -> {
          code.place(stopped);
          losses.count(LossCounter.STOPPED_LOOPS, end);
        });
  }

  /** Compiles an unrolled loop. */
  void compile(Statement.Unroll node) {
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
  void leave() {
    code.jump(loops.element().end());
  }

  /** Starts the next iteration of the innermost loop. */
  void next() {
    code.jump(loops.element().next());
  }
}
