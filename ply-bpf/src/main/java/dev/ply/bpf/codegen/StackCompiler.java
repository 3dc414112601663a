package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.StackTraces;
import dev.ply.builtin.StackBuiltins;
import dev.ply.builtin.StackShape;
import dev.ply.ir.Expr;
import dev.ply.target.PidScope;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.List;

/** Compiles the recording of stack traces. */
final class StackCompiler {
  /** The kernel's result for a thread without such a stack. */
  private static final int EFAULT = 14;

  private static final int KERNEL_STACK = 0;

  /** BPF_F_USER_STACK. */
  private static final int USER_STACK = 1 << 8;

  private final ClauseCompiler clause;
  private final CodeBuilder code;

  StackCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  static void addTo(BuiltinCodes codes) {
    codes.scalar(
        StackBuiltins.STACK,
        Cost.STACK,
        (clause, call) -> new StackCompiler(clause).record(StackShape.of(call)));
    codes.scalar(
        StackBuiltins.USTACK,
        Cost.STACK,
        (clause, call) -> new StackCompiler(clause).recordUser(StackShape.of(call)));
  }

  /** Records the kernel stack; returns its id or a negative errno. */
  ScalarCode record(StackShape shape) {
    return new ScalarCode.InRegister(record(clause.object().stacks(false, shape), KERNEL_STACK));
  }

  /**
   * Records the user stack; returns the TGID and, in the lower half, its id or a negative errno.
   * The first stack of a process is announced to user space, which then reads its memory maps while
   * it exists.
   */
  ScalarCode recordUser(StackShape shape) {
    Register id = record(clause.object().stacks(true, shape), USER_STACK);
    // Fills the lower half, whatever its sign.
    code.alu(Width.W64, AluOp.LSH, id, 32);
    code.alu(Width.W64, AluOp.RSH, id, 32);
    Register process = new ThreadCode(clause).pid(PidScope.CURR_NS);
    tell(process);
    code.alu(Width.W64, AluOp.LSH, process, 32);
    code.alu(Width.W64, AluOp.OR, process, id);
    return new ScalarCode.InRegister(process);
  }

  /** Computes the number of frames of a stack, 0 where there is none; it is not recorded. */
  ScalarCode depth(Expr.Call stack) {
    boolean ofUser = stack.function() == StackBuiltins.USTACK;
    int usual = clause.object().usualDepth(ofUser);
    int most = StackShape.of(stack).depth().orElse(usual) * Long.BYTES;
    int flags = ofUser ? USER_STACK : KERNEL_STACK;
    Place frames = clause.memory().allocateInScratch(most);
    Label done = code.label("measured");
    Register size = code.fresh();
    code.move(
        size,
        code.callForResult(
            Helper.GET_STACK,
            code.value(clause.context()),
            code.address(frames),
            code.value(most),
            code.value(flags)));
    Register depth = code.fresh();
    code.constant(depth, 0);
    code.jump(Width.W64, JumpOp.JSLT, size, new Immediate(0), done);
    code.move(depth, size);
    code.alu(Width.W64, AluOp.RSH, depth, 3);
    code.place(done);
    return new ScalarCode.InRegister(depth);
  }

  private Register record(StackTraces traces, int flags) {
    Label failed = code.label("unrecorded");
    Label done = code.label("recorded");
    // Without BPF_F_REUSE_STACKID and FAST_STACK_CMP: full comparison, and no slot is overwritten.
    Register id =
        code.callForResult(
            Helper.GET_STACKID,
            code.value(clause.context()),
            code.map(traces.map()),
            code.value(flags));
    code.jump(Width.W64, JumpOp.JSLT, id, new Immediate(0), failed);
    if (traces.base() != 0) {
      code.alu(Width.W64, AluOp.OR, id, traces.base());
    }
    code.place(done);
    code.outOfLine(
        () -> {
          code.place(failed);
          code.jump(Width.W64, JumpOp.JEQ, id, new Immediate(-EFAULT), done);
          new LossCounter(code, clause.object()).count(LossCounter.LOST_STACKS, done);
        });
    return id;
  }

  /** Announces a process unless that has been done. */
  private void tell(Register process) {
    StructType layout = StructType.ofKeyParts(List.of(IntType.U32, IntType.U32));
    EventSite site = clause.object().processes(layout);
    Place key = clause.memory().allocate(8);
    Label unseen = code.label("unseen");
    Label seen = code.label("seen");
    code.store(Size.W, key, process);
    Register found =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(BpfObject.PROCESSES), code.address(key));
    code.jumpIfNull(found, unseen);
    code.place(seen);
    code.outOfLine(
        () -> {
          code.place(unseen);
          Register record =
              code.callForResult(
                  Helper.RINGBUF_RESERVE,
                  code.map(clause.object().events()),
                  code.value(layout.size()),
                  code.value(0));
          // If the buffer is full, the next stack tries again.
          code.jumpIfNull(record, seen);
          code.store(Size.W, new Place(record, 0), new Immediate(site.id()));
          code.store(Size.W, new Place(record, 4), process);
          code.call(Helper.RINGBUF_SUBMIT, code.value(record), code.value(0));
          code.call(
              Helper.MAP_UPDATE_ELEM,
              code.map(BpfObject.PROCESSES),
              code.address(key),
              code.address(key),
              code.value(0));
          code.jump(seen);
        });
  }
}
