package dev.ply.bpf.vm;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
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
import java.util.List;

/** Short names for the instructions of test programs. */
final class Code {
  private Code() {}

  static BpfProgram program(int contextSize, Instruction... code) {
    return new BpfProgram("test", ProgramType.RAW_TRACEPOINT, contextSize, List.of(code));
  }

  static Instruction mov(Register dst, int value) {
    return alu(AluOp.MOV, dst, new Immediate(value));
  }

  static Instruction mov(Register dst, Register src) {
    return alu(AluOp.MOV, dst, src);
  }

  static Instruction add(Register dst, int value) {
    return alu(AluOp.ADD, dst, new Immediate(value));
  }

  static Instruction alu(AluOp op, Register dst, Operand src) {
    return new Instruction.Alu(Width.W64, op, dst, src);
  }

  static Instruction wide(Register dst, long value) {
    return new Instruction.LoadWide(dst, new WideSource.Constant(value));
  }

  static Instruction map(Register dst, String name) {
    return new Instruction.LoadWide(dst, new WideSource.Map(name));
  }

  static Instruction load(Size size, Register dst, Register base, int offset) {
    return new Instruction.Load(size, Extension.ZERO, dst, base, offset);
  }

  static Instruction store(Size size, Register base, int offset, Operand src) {
    return new Instruction.Store(size, base, offset, src);
  }

  static Instruction store(Size size, Register base, int offset, int value) {
    return store(size, base, offset, new Immediate(value));
  }

  static Instruction atomic(Size size, AtomicOp op, Register base, int offset, Register src) {
    return new Instruction.Atomic(size, op, base, offset, src);
  }

  static Instruction call(Helper helper) {
    return new Instruction.CallHelper(helper.number());
  }

  static Instruction callLocal(String label) {
    return new Instruction.CallLocal(new Label(label));
  }

  static Instruction jump(JumpOp op, Register left, int right, String label) {
    return new Instruction.Jump(Width.W64, op, left, new Immediate(right), new Label(label));
  }

  static Instruction jump(String label) {
    return new Instruction.Goto(new Label(label));
  }

  static Instruction label(String name) {
    return new Instruction.LabelMark(new Label(name));
  }

  static Instruction exit() {
    return new Instruction.Exit();
  }
}
