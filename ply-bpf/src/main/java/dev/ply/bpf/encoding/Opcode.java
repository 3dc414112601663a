package dev.ply.bpf.encoding;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;

/** The layout of opcode bytes (RFC 9669, sections 3.3, 4 and 5), for encoder and decoder. */
final class Opcode {
  /** The operand kind of an instruction, with its opcode bit. */
  enum Source {
    IMMEDIATE(0x00),
    REGISTER(0x08);

    private final int bits;

    Source(int bits) {
      this.bits = bits;
    }

    static Source of(Operand operand) {
      return operand instanceof Register ? REGISTER : IMMEDIATE;
    }
  }

  private static final int LD = 0x00;
  private static final int LDX = 0x01;
  private static final int ST = 0x02;
  private static final int STX = 0x03;
  private static final int ALU = 0x04;
  private static final int JMP = 0x05;
  private static final int JMP32 = 0x06;
  private static final int ALU64 = 0x07;

  private static final int MODE_ABS = 0x20;
  private static final int MODE_IND = 0x40;
  private static final int MODE_MEM = 0x60;
  private static final int MODE_MEMSX = 0x80;
  private static final int MODE_ATOMIC = 0xc0;

  private static final int NEG = 0x80;
  private static final int END = 0xd0;

  /** The jump with a 16-bit offset. */
  static final int GOTO = JMP;

  /** The jump with a 32-bit offset, {@code gotol}. */
  static final int GOTO_LONG = JMP32;

  static final int CALL = 0x80 | JMP;
  static final int EXIT = 0x90 | JMP;
  static final int LOAD_WIDE = Size.DW.bits() | LD;

  private Opcode() {}

  static int alu(Width width, AluOp op, Source source) {
    return op.bits() | source.bits | aluClass(width);
  }

  static int negate(Width width) {
    return NEG | aluClass(width);
  }

  static int byteSwap(ByteSwap.Order order) {
    return switch (order) {
      case LITTLE -> END | ALU;
      case BIG -> END | Source.REGISTER.bits | ALU;
      case SWAPPED -> END | ALU64;
    };
  }

  static int jump(Width width, JumpOp op, Source source) {
    return op.bits() | source.bits | (width == Width.W64 ? JMP : JMP32);
  }

  static int load(Size size, Extension extension) {
    return (extension == Extension.ZERO ? MODE_MEM : MODE_MEMSX) | size.bits() | LDX;
  }

  static int store(Size size, Source source) {
    return MODE_MEM | size.bits() | (source == Source.REGISTER ? STX : ST);
  }

  static int atomic(Size size) {
    return MODE_ATOMIC | size.bits() | STX;
  }

  static int loadPacket(Size size, Source index) {
    return (index == Source.REGISTER ? MODE_IND : MODE_ABS) | size.bits() | LD;
  }

  private static int aluClass(Width width) {
    return width == Width.W64 ? ALU64 : ALU;
  }
}
