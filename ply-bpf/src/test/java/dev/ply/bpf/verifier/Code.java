package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Size.DW;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;

/** Short names for the instructions of test programs. */
final class Code {
  private Code() {}

  static BpfProgram program(Instruction... code) {
    return new BpfProgram("test", ProgramType.KPROBE, 168, List.of(code));
  }

  static Instruction[] code(Instruction... code) {
    return code;
  }

  static Instruction mov(Register dst, int value) {
    return alu(AluOp.MOV, dst, value);
  }

  static Instruction mov(Register dst, Register src) {
    return alu(AluOp.MOV, dst, src);
  }

  static Instruction alu(AluOp op, Register dst, int value) {
    return new Instruction.Alu(Width.W64, op, dst, Operand.of(value));
  }

  static Instruction alu(AluOp op, Register dst, Register src) {
    return new Instruction.Alu(Width.W64, op, dst, src);
  }

  static Instruction alu32(AluOp op, Register dst, int value) {
    return new Instruction.Alu(Width.W32, op, dst, Operand.of(value));
  }

  static Instruction ld(Size size, Register dst, Register base, int offset) {
    return new Instruction.Load(size, Extension.ZERO, dst, base, offset);
  }

  static Instruction st(Size size, Register base, int offset, int value) {
    return new Instruction.Store(size, base, offset, Operand.of(value));
  }

  static Instruction stx(Size size, Register base, int offset, Register src) {
    return new Instruction.Store(size, base, offset, src);
  }

  static Instruction atomic(Size size, AtomicOp op, Register base, int offset, Register src) {
    return new Instruction.Atomic(size, op, base, offset, src);
  }

  static Instruction map(Register dst, String name) {
    return new Instruction.LoadWide(dst, new WideSource.Map(name));
  }

  static Instruction call(Helper helper) {
    return new Instruction.CallHelper(helper.number());
  }

  static Instruction callLocal(String label) {
    return new Instruction.CallLocal(new Label(label));
  }

  static Instruction jump(JumpOp op, Register left, int right, String label) {
    return new Instruction.Jump(Width.W64, op, left, Operand.of(right), new Label(label));
  }

  static Instruction jump(String label) {
    return new Instruction.Goto(new Label(label));
  }

  static Instruction mark(String label) {
    return new Instruction.LabelMark(new Label(label));
  }

  static Instruction exit() {
    return new Instruction.Exit();
  }

  static Instruction[] lookup(Instruction... body) {
    return around(
        List.of(
            st(DW, R10, -8, 1),
            map(R1, "stats"),
            mov(R2, R10),
            alu(AluOp.ADD, R2, -8),
            call(Helper.MAP_LOOKUP_ELEM)),
        body);
  }

  static Instruction[] reserve(Instruction... body) {
    return around(
        List.of(map(R1, "events"), mov(R2, 32), mov(R3, 0), call(Helper.RINGBUF_RESERVE)), body);
  }

  private static Instruction[] around(List<Instruction> head, Instruction... body) {
    List<Instruction> code = new ArrayList<>(head);
    code.addAll(List.of(body));
    code.addAll(List.of(mark("out"), mov(R0, 0), exit()));
    return code.toArray(Instruction[]::new);
  }
}
