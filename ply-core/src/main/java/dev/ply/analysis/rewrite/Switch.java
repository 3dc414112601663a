package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Walker;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.OffCpuProbe;
import dev.ply.target.PidScope;
import dev.ply.target.Target;
import java.util.List;

/**
 * The tracepoint of a switch between threads; the raw one where its arguments are known (5.18 and
 * later), because filling in the record costs more than the rest of the program.
 *
 * @param isRaw whether arguments are read instead of a record
 */
record Switch(boolean isRaw, SourceSpan span) {
  private static final String EVENT = "sched_switch";

  /** The state of a thread that ends, TASK_DEAD of include/linux/sched.h. */
  private static final long DEAD = 0x80;

  /** What the record has of it: EXIT_DEAD or EXIT_ZOMBIE. */
  private static final long RECORDED_DEAD = 0x30;

  /** The states of the record, without TASK_REPORT_MAX, which is set if the thread is preempted. */
  private static final long RECORDED_STATES = 0xff;

  /** Returns the tracepoint for a clause. Kernel stacks of raw ones begin with the program. */
  static Switch of(Clause clause, Target target) {
    boolean isKnown =
        target.types().rawTracepoint(EVENT).stream()
            .flatMap(call -> call.parameters().stream())
            .anyMatch(argument -> argument.name().equals("prev_state"));
    return new Switch(isKnown && !KernelStack.isIn(clause), clause.pointSpan());
  }

  AttachPoint point() {
    return isRaw
        ? new AttachPoint.RawTracepoint(EVENT)
        : new AttachPoint.Tracepoint("sched", EVENT);
  }

  /** Returns the ID of the thread that runs next. */
  Expr next() {
    return isRaw
        ? new Expr.Member(field("next"), Expr.Member.Access.ARROW, "pid", span, span)
        : field("next_pid");
  }

  /** Returns the ID of the thread that leaves the CPU, the current one: 0 if it is idle. */
  Expr previous() {
    Expr scope = new Expr.StringLiteral(PidScope.INIT.canonicalName(), span);
    return new Expr.Call(ThreadBuiltins.KPID, List.of(scope), span);
  }

  /** Returns the conditions of a switch from a thread that left for a reason and does not exit. */
  List<Expr> leaves(OffCpuProbe.Reason reason) {
    Expr ends = binary(BinaryOp.AND, state(), number(isRaw ? DEAD : RECORDED_DEAD));
    List<Expr> any = List.of(previous(), equal(ends, 0));
    return switch (reason) {
      case ANY -> any;
      case BLOCKED -> List.of(previous(), equal(ends, 0), equal(isRunnable(), 0));
      case PREEMPTED -> List.of(previous(), isRunnable());
    };
  }

  private Expr isRunnable() {
    if (isRaw) {
      return binary(BinaryOp.LOGICAL_OR, field("preempt"), equal(state(), 0));
    }
    return equal(binary(BinaryOp.AND, state(), number(RECORDED_STATES)), 0);
  }

  private Expr state() {
    return field("prev_state");
  }

  /** Finds kernel stacks. */
  private static final class KernelStack extends Walker {
    private boolean isFound;

    static boolean isIn(Clause clause) {
      KernelStack stack = new KernelStack();
      stack.walk(clause);
      return stack.isFound;
    }

    @Override
    public Walker visit(Expr.Call node) {
      isFound |= node.function() == StackBuiltins.STACK;
      return super.visit(node);
    }
  }

  private Expr field(String name) {
    Expr fields = new Expr.Call(ContextBuiltins.DATA, List.of(), span);
    return new Expr.Member(fields, Expr.Member.Access.DOT, name, span, span);
  }

  private Expr equal(Expr value, long number) {
    return binary(BinaryOp.EQ, value, number(number));
  }

  private Expr number(long value) {
    return Expr.number(value, span);
  }

  private Expr binary(BinaryOp op, Expr left, Expr right) {
    return new Expr.Binary(op, left, right, span);
  }
}
