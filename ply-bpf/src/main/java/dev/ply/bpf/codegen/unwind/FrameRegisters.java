package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.machine.Architecture;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The registers of the frame that a walk is at.
 *
 * @param clause whose thread it is
 * @param hasLink whether calls leave the return address in {@code link}
 * @param link the register that can have the return address: x30, or rdi
 * @param back 0 if the thread continues with {@code pc}, 1 if it is a return address
 * @param end the marker of the walk's end, if it is lost
 */
record FrameRegisters(
    ClauseCode clause,
    boolean hasLink,
    Register pc,
    Register sp,
    Register fp,
    Register link,
    Register back,
    Register end) {

  /** Emits the load of the registers of the current thread. */
  static FrameRegisters load(ClauseCode clause) {
    CodeBuilder code = clause.code();
    boolean isArm = clause.script().target().architecture() == Architecture.AARCH64;
    FrameRegisters frame =
        new FrameRegisters(
            clause,
            isArm,
            code.fresh(),
            code.fresh(),
            code.fresh(),
            code.fresh(),
            code.fresh(),
            code.fresh());
    Map<String, Register> loaded = new LinkedHashMap<>();
    loaded.put(isArm ? "pc" : "rip", frame.pc());
    loaded.put(isArm ? "sp" : "rsp", frame.sp());
    loaded.put(isArm ? "x29" : "rbp", frame.fp());
    loaded.put(isArm ? "x30" : "rdi", frame.link());
    new UserRegistersCode(clause).load(loaded);
    code.constant(frame.back(), 0);
    code.constant(frame.end(), UnwindEnd.UNREADABLE.marker());
    return frame;
  }

  /**
   * Emits the load of the address of the bytecode that HotSpot's interpreter runs, r13 or x22,
   * again: few walks need it.
   *
   * @param other the label for when the thread does not continue with this frame, but with the
   *     handler of a signal, say
   */
  Register bytecode(Label other) {
    CodeBuilder code = clause.code();
    Register now = code.fresh();
    Register bytecode = code.fresh();
    Map<String, Register> loaded = new LinkedHashMap<>();
    loaded.put(hasLink ? "pc" : "rip", now);
    loaded.put(hasLink ? "x22" : "r13", bytecode);
    new UserRegistersCode(clause).load(loaded);
    code.jump(Width.W64, JumpOp.JNE, now, pc, other);
    return bytecode;
  }
}
