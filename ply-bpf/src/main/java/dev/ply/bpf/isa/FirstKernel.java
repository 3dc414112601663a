package dev.ply.bpf.isa;

import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.machine.KernelVersion;

/** The Linux version that introduced an instruction. */
public final class FirstKernel {
  private static final KernelVersion FIRST = version(3, 18);

  /** {@code -mcpu=v2}: jumps on less than. */
  private static final KernelVersion CPU_V2 = version(4, 14);

  /** {@code -mcpu=v3}: 32-bit jumps. */
  private static final KernelVersion CPU_V3 = version(5, 1);

  /** {@code -mcpu=v4}: sign extension, signed division, unconditional byte swap. */
  private static final KernelVersion CPU_V4 = version(6, 6);

  private FirstKernel() {}

  /**
   * {@return the first kernel that supports {@code instruction}; 3.18 for unknown helpers}
   *
   * @param instruction of any kind
   */
  public static KernelVersion of(Instruction instruction) {
    return instruction.accept(new OfInstruction());
  }

  private static KernelVersion ofComparison(JumpOp op) {
    return switch (op) {
      case JLT, JLE, JSLT, JSLE -> CPU_V2;
      case JEQ, JGT, JGE, JSET, JNE, JSGT, JSGE -> FIRST;
    };
  }

  /** Of an instruction, by its kind. */
  private static final class OfInstruction implements Instruction.Visitor<KernelVersion> {
    @Override
    public KernelVersion visit(Alu alu) {
      return alu.op() == AluOp.SDIV || alu.op() == AluOp.SMOD ? CPU_V4 : FIRST;
    }

    @Override
    public KernelVersion visit(Instruction.Negate negate) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(SignExtend extend) {
      return CPU_V4;
    }

    @Override
    public KernelVersion visit(ByteSwap swap) {
      return swap.order() == ByteSwap.Order.SWAPPED ? CPU_V4 : FIRST;
    }

    @Override
    public KernelVersion visit(LoadWide load) {
      return load.source().accept(new OfSource());
    }

    @Override
    public KernelVersion visit(Load load) {
      return load.extension() == Extension.SIGN ? CPU_V4 : FIRST;
    }

    @Override
    public KernelVersion visit(Instruction.Store store) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(Atomic atomic) {
      return atomic.op() == AtomicOp.ADD ? FIRST : version(5, 12);
    }

    @Override
    public KernelVersion visit(Instruction.LoadPacket load) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(Jump jump) {
      return jump.width() == Width.W32 ? CPU_V3 : ofComparison(jump.op());
    }

    @Override
    public KernelVersion visit(Instruction.Goto jump) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(CallHelper call) {
      return call.helper().map(Helper::since).orElse(FIRST);
    }

    @Override
    public KernelVersion visit(CallLocal call) {
      return call.isGlobal() ? version(5, 6) : version(4, 16);
    }

    @Override
    public KernelVersion visit(CallKernel call) {
      return version(5, 13);
    }

    @Override
    public KernelVersion visit(Instruction.Exit exit) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(Instruction.LabelMark mark) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(Instruction.SourceMark mark) {
      return FIRST;
    }
  }

  /** Of a 64-bit load, by its source. */
  private static final class OfSource implements WideSource.Visitor<KernelVersion> {
    @Override
    public KernelVersion visit(WideSource.Constant source) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(WideSource.Map source) {
      return FIRST;
    }

    @Override
    public KernelVersion visit(WideSource.MapValue source) {
      return version(5, 2);
    }

    @Override
    public KernelVersion visit(WideSource.Variable source) {
      return version(5, 10);
    }

    @Override
    public KernelVersion visit(WideSource.Function source) {
      return version(5, 13);
    }

    @Override
    public KernelVersion visit(WideSource.IndexedMap source) {
      return version(5, 14);
    }

    @Override
    public KernelVersion visit(WideSource.IndexedMapValue source) {
      return version(5, 14);
    }
  }

  private static KernelVersion version(int major, int minor) {
    return new KernelVersion(major, minor, 0);
  }
}
