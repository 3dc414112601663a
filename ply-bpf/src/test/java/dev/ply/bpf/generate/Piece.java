package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.List;
import net.jqwik.api.Arbitrary;

/** Part of a program: r6 holds the context, r7 to r9 numbers. */
@FunctionalInterface
interface Piece {
  /** The words of stack that pieces use, the first below the frame pointer. */
  int WORDS = 6;

  /** Returns the instructions; {@code number} makes their labels their own. */
  List<Instruction> code(int number);

  /** Returns pieces of one instruction. */
  static Arbitrary<Piece> one(Arbitrary<? extends Instruction> instructions) {
    return instructions.map(instruction -> number -> List.of(instruction));
  }

  static Instruction move(int dst, Operand src) {
    return new Alu(Width.W64, AluOp.MOV, new Register(dst), src);
  }

  static List<Instruction> argument(int register, int frameOffset) {
    return List.of(
        move(register, Register.R10),
        new Alu(Width.W64, AluOp.ADD, new Register(register), new Immediate(frameOffset)));
  }

  static Instruction map(String name) {
    return new LoadWide(Register.R1, new WideSource.Map(name));
  }

  static Instruction ifZero(Label target) {
    return new Jump(Width.W64, JumpOp.JEQ, Register.R0, new Immediate(0), target);
  }
}
