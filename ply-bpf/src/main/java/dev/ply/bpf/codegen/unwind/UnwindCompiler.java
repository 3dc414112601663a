package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.Closure;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.machine.Architecture;

/**
 * Compiles a walk over the current user stack by unwind tables. A frame is a round of a loop: of a
 * function that a helper repeats where the kernel has it (Linux 5.17), else of jumps.
 */
public final class UnwindCompiler {
  /** Which argument of a repeated function the context is. */
  private static final int LOOP_CONTEXT = 2;

  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates into the program of a clause. */
  public UnwindCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns whether programs can walk stacks of this machine by tables. */
  public boolean isPossible() {
    Architecture architecture = clause.script().target().architecture();
    return (architecture == Architecture.X86_64 || architecture == Architecture.AARCH64)
        && new UserRegistersCode(clause).areReachable();
  }

  /**
   * Writes the addresses, innermost first, and a marker after them if the walk was lost; returns
   * their size in bytes.
   *
   * @param process the TGID in the tracer's namespace
   * @param depth the maximum number of addresses
   * @param unknown the label for a process without tables
   */
  public Register walk(Register process, Place addresses, int depth, Label unknown) {
    clause.object().unwinding();
    Place key = clause.memory().allocate(Long.BYTES);
    code.store(Size.W, key, process);
    Register tables =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(UnwindMaps.PROCESSES), code.address(key));
    code.jumpIfNull(tables, unknown);
    FrameRegisters frame = FrameRegisters.load(clause);
    Register count = code.fresh();
    code.constant(count, 0);
    Label end = code.label("unwound");
    Label lost = code.label("lost");
    repeat(
        depth,
        next -> {
          append(frame.pc(), count, addresses, depth, end);
          new FrameStep(code, clause.memory(), frame).step(tables, next, end, lost);
        });
    code.place(end);
    Register size = code.fresh();
    code.move(size, count);
    Label bounded = code.label("bounded");
    code.jump(Width.W64, JumpOp.JLE, size, new Immediate(depth), bounded);
    code.constant(size, depth);
    code.place(bounded);
    code.alu(Width.W64, AluOp.LSH, size, 3);
    code.outOfLine(
        () -> {
          code.place(lost);
          append(frame.end(), count, addresses, depth, end);
          code.jump(end);
        });
    return size;
  }

  /** Emits a round, which jumps to the label for the next. */
  private interface Round {
    void emit(Label next);
  }

  private void repeat(int rounds, Round round) {
    Label next = code.label("frame");
    if (clause.script().target().hasLoopHelper()) {
      new Closure(clause.memory(), code, clause.object())
          .call(
              Helper.LOOP,
              code.value(rounds),
              LOOP_CONTEXT,
              closure -> {
                round.emit(next);
                code.place(next);
                code.exit(Closure.CONTINUE);
              });
      return;
    }
    Register number = code.fresh();
    Label head = code.label("walk");
    code.constant(number, 0);
    code.place(head);
    round.emit(next);
    code.place(next);
    code.alu(Width.W64, AluOp.ADD, number, 1);
    code.jump(Width.W64, JumpOp.JLT, number, new Immediate(rounds), head);
  }

  private void append(Register word, Register count, Place addresses, int depth, Label full) {
    code.jump(Width.W64, JumpOp.JGE, count, new Immediate(depth), full);
    Register to = code.fresh();
    code.move(to, count);
    code.alu(Width.W64, AluOp.LSH, to, 3);
    code.alu(Width.W64, AluOp.ADD, to, addresses.base());
    code.store(Size.DW, new Place(to, addresses.offset()), word);
    code.alu(Width.W64, AluOp.ADD, count, 1);
  }
}
