package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;

/** Compiles the recording of stack traces. */
final class StackCompiler {
  /** The kernel's answer where a thread is not in the kernel: there is nothing to record. */
  private static final int EFAULT = 14;

  private final ClauseCompiler clause;
  private final CodeBuilder code;

  StackCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Has the kernel record its stack; gives the trace's id or a negative error number. */
  Scalar record() {
    Label failed = code.label("unrecorded");
    Label done = code.label("recorded");
    // No flags: the whole kernel stack, and a trace never takes the slot of another.
    Register id =
        code.callForResult(
            Helper.GET_STACKID,
            code.value(clause.context()),
            code.map(clause.object().stacks()),
            code.value(0));
    code.jump(Width.W64, JumpOp.JSLT, id, new Immediate(0), failed);
    code.place(done);
    code.outOfLine(
        () -> {
          code.place(failed);
          code.jump(Width.W64, JumpOp.JEQ, id, new Immediate(-EFAULT), done);
          new LossCounter(code, clause.object()).count(LossCounter.LOST_STACKS, done);
        });
    return new Scalar.InRegister(id);
  }
}
