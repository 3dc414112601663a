package dev.ply.bpf.codegen;

import dev.ply.analysis.LocalVariable;
import dev.ply.bpf.isa.AluOp;
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

/**
 * Compiles loops to jumps. The verifier must see that they terminate: a loop with an unknown number
 * of iterations is stopped after {@value #MOST_ROUNDS}, which is counted as a loss.
 */
final class LoopCompiler {
  /** The maximum number of iterations. */
  static final int MOST_ROUNDS = 1024;

  private final ClauseCompiler clause;
  private final CodeBuilder code;
  private final LossCounter losses;

  /** The enclosing loops, innermost first. */
  private final Deque<Exits> loops = new ArrayDeque<>();

  /** The labels of a loop's next iteration and its end. */
  private record Exits(Label next, Label end) {}

  LoopCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
    this.losses = new LossCounter(clause.code(), clause.object());
  }

  /** Compiles a loop with a condition. */
  void compile(Statement.While node) {
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
    Label stopped = code.label("stopped");
    code.jump(Width.W64, JumpOp.JGE, rounds, new Immediate(MOST_ROUNDS), stopped);
    code.alu(Width.W64, AluOp.ADD, rounds, 1);
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

  private void body(Statement.Block body, Exits exits) {
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
