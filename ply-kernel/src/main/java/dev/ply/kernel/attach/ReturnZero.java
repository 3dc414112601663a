package dev.ply.kernel.attach;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.InstructionEncoder;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import java.nio.ByteOrder;
import java.util.List;

/** The program that does nothing, to try attaching with. */
final class ReturnZero {
  private ReturnZero() {}

  /** Returns its instructions in the kernel's encoding. */
  static byte[] code() {
    return new InstructionEncoder(
            ByteOrder.nativeOrder(),
            name -> {
              throw new IllegalArgumentException("no map " + name);
            })
        .encode(
            List.of(
                new Instruction.Alu(Width.W64, AluOp.MOV, Register.R0, new Immediate(0)),
                new Instruction.Exit()))
        .bytes();
  }
}
