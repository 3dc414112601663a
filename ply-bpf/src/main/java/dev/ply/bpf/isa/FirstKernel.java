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
    if (instruction instanceof Alu alu) {
      return alu.op() == AluOp.SDIV || alu.op() == AluOp.SMOD ? CPU_V4 : FIRST;
    } else if (instruction instanceof SignExtend) {
      return CPU_V4;
    } else if (instruction instanceof ByteSwap swap) {
      return swap.order() == ByteSwap.Order.SWAPPED ? CPU_V4 : FIRST;
    } else if (instruction instanceof Load load) {
      return load.extension() == Extension.SIGN ? CPU_V4 : FIRST;
    } else if (instruction instanceof Jump jump) {
      return jump.width() == Width.W32 ? CPU_V3 : ofComparison(jump.op());
    } else if (instruction instanceof Atomic atomic) {
      return atomic.op() == AtomicOp.ADD ? FIRST : version(5, 12);
    } else if (instruction instanceof LoadWide load) {
      return ofSource(load.source());
    } else if (instruction instanceof CallHelper call) {
      return call.helper().map(Helper::since).orElse(FIRST);
    } else if (instruction instanceof CallLocal) {
      return version(4, 16);
    }
    return instruction instanceof CallKernel ? version(5, 13) : FIRST;
  }

  private static KernelVersion ofComparison(JumpOp op) {
    return switch (op) {
      case JLT, JLE, JSLT, JSLE -> CPU_V2;
      case JEQ, JGT, JGE, JSET, JNE, JSGT, JSGE -> FIRST;
    };
  }

  private static KernelVersion ofSource(WideSource source) {
    if (source instanceof WideSource.MapValue) {
      return version(5, 2);
    } else if (source instanceof WideSource.Variable) {
      return version(5, 10);
    } else if (source instanceof WideSource.Function) {
      return version(5, 13);
    }
    return source instanceof WideSource.IndexedMap || source instanceof WideSource.IndexedMapValue
        ? version(5, 14)
        : FIRST;
  }

  private static KernelVersion version(int major, int minor) {
    return new KernelVersion(major, minor, 0);
  }
}
