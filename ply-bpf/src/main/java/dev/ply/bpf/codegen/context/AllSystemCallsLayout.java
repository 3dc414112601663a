package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.ProgramContext;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.ir.Expr;
import dev.ply.target.AttachFeatures.ForeignCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The context of sys_enter and sys_exit: the user registers and the syscall number, or the
 * registers and the result.
 */
final class AllSystemCallsLayout extends SystemCallLayout {
  private static final int WORD_BITS = 64;
  private static final int SECOND = 8;

  private final End end;
  private final List<Integer> picked;
  private final boolean isTyped;
  private final boolean asksThread;

  AllSystemCallsLayout(Frame frame, ProgramContext.AllSyscalls context, boolean asksThread) {
    super(frame);
    this.end = context.end();
    this.picked = context.numbers();
    this.isTyped = context.probe().isPresent();
    this.asksThread = asksThread;
  }

  @Override
  public void enter(Label exit) {
    CodeBuilder code = frame.code();
    Register number = number();
    if (picked.size() == 1) {
      code.jump(Width.W64, JumpOp.JNE, number, new Immediate(picked.get(0)), exit);
    } else {
      pick(number, exit);
    }
    frame.target().attachFeatures().foreignCalls().ifPresent(foreign -> leave(foreign, exit));
  }

  /** Looks up the syscall number in a bitmap, in 64-bit words. */
  private void pick(Register number, Label exit) {
    CodeBuilder code = frame.code();
    Map<Integer, Long> words = new HashMap<>();
    picked.forEach(call -> words.merge(call / WORD_BITS, 1L << call, (a, b) -> a | b));
    int last = picked.get(picked.size() - 1) / WORD_BITS;
    Register wanted = code.fresh();
    Label found = code.label("found");
    for (int i = 0; i <= last; i++) {
      long bits = words.getOrDefault(i, 0L);
      if (bits != 0) {
        code.constant(wanted, bits);
      }
      Immediate next = new Immediate((i + 1) * WORD_BITS);
      code.jump(Width.W64, JumpOp.JLT, number, next, bits == 0 ? exit : found);
    }
    code.jump(exit);
    code.place(found);
    code.alu(Width.W64, AluOp.AND, number, WORD_BITS - 1);
    code.alu(Width.W64, AluOp.RSH, wanted, number);
    code.alu(Width.W64, AluOp.AND, wanted, 1);
    code.jump(Width.W64, JumpOp.JEQ, wanted, new Immediate(0), exit);
  }

  /**
   * Exits for syscalls of 32-bit programs, whose numbers have other meanings. The task's flag
   * tells, which takes a helper; programs that do not use the task otherwise first check the
   * registers that the {@code syscall} instruction overwrites. A program that forges those, to
   * disguise another call, could make the traced one itself.
   */
  private void leave(ForeignCalls foreign, Label exit) {
    Map<String, String> copies = frame.architecture().systemCallCopies();
    if (!isTyped || asksThread || copies.isEmpty()) {
      ask(foreign, exit);
      return;
    }
    CodeBuilder code = frame.code();
    Label unclear = code.label("unclear");
    Label native64 = code.label("native");
    copies.forEach(
        (copy, original) -> {
          Register left = code.fresh();
          Register right = code.fresh();
          code.load(Size.DW, left, register(copy));
          code.load(Size.DW, right, register(original));
          code.jump(Width.W64, JumpOp.JNE, left, right, unclear);
        });
    code.place(native64);
    code.outOfLine(
        () -> {
          code.place(unclear);
          ask(foreign, exit);
          code.jump(native64);
        });
  }

  private void ask(ForeignCalls foreign, Label exit) {
    CodeBuilder code = frame.code();
    if (loadsThread()) {
      Register status = code.fresh();
      code.load(Size.W, status, new Place(thread(), foreign.offset()));
      code.jump(Width.W32, JumpOp.JSET, status, new Immediate(foreign.mask()), exit);
      return;
    }
    Memory.Scope scope = frame.memory().open();
    Place status = frame.memory().allocate(Integer.BYTES);
    Register task = code.callForResult(Helper.GET_CURRENT_TASK);
    code.alu(Width.W64, AluOp.ADD, task, foreign.offset());
    code.call(
        Helper.PROBE_READ_KERNEL,
        code.address(status),
        code.value(Integer.BYTES),
        code.value(task));
    Register word = code.fresh();
    code.load(Size.W, word, status);
    code.jump(Width.W32, JumpOp.JSET, word, new Immediate(foreign.mask()), exit);
    frame.memory().close(scope);
  }

  private boolean loadsThread() {
    return frame.target().attachFeatures().loadsThread();
  }

  private Register thread() {
    return frame.code().callForResult(Helper.GET_CURRENT_TASK_BTF);
  }

  /** In the arguments at entry, in a register at exit. */
  @Override
  public Register number() {
    CodeBuilder code = frame.code();
    Register number = code.fresh();
    if (end == End.ENTRY) {
      code.load(Size.DW, number, new Place(frame.context(), SECOND));
    } else {
      code.load(Size.DW, number, register(frame.architecture().systemCallNumber().orElseThrow()));
    }
    return number;
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    return end == End.EXIT ? new Place(frame.context(), SECOND) : super.place(clause, member);
  }

  /** Where it is saved, or a copy. */
  @Override
  Place register(String name) {
    CodeBuilder code = frame.code();
    int offset = frame.architecture().registerOffset(name).orElseThrow();
    if (isTyped) {
      Register registers = code.fresh();
      code.load(Size.DW, registers, new Place(frame.context(), 0));
      return new Place(registers, offset);
    }
    if (loadsThread()) {
      return new Place(code.callForResult(Helper.TASK_PT_REGS, code.value(thread())), offset);
    }
    Place copy = frame.memory().allocate(Long.BYTES);
    Register from = code.fresh();
    code.load(Size.DW, from, new Place(frame.context(), 0));
    code.alu(Width.W64, AluOp.ADD, from, offset);
    code.call(
        Helper.PROBE_READ_KERNEL, code.address(copy), code.value(Long.BYTES), code.value(from));
    return copy;
  }
}
