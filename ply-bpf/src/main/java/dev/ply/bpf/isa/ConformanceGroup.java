package dev.ply.bpf.isa;

import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.Store;
import java.util.Optional;

/** A conformance group: instructions that a runtime supports all or none of (RFC 9669, 2.4). */
public enum ConformanceGroup {
  /** 32-bit arithmetic and jumps, loads and stores of up to 4 bytes, calls: required everywhere. */
  BASE32(Optional.empty()),
  /** {@link #BASE32} and its 64-bit counterparts. */
  BASE64(Optional.of(BASE32)),
  /** Atomic operations of 4 bytes. */
  ATOMIC32(Optional.empty()),
  /** Atomic operations of 8 bytes. */
  ATOMIC64(Optional.of(ATOMIC32)),
  /** Multiplication, division and remainder of 32 bits. */
  DIVMUL32(Optional.empty()),
  /** Multiplication, division and remainder of 64 bits. */
  DIVMUL64(Optional.of(DIVMUL32)),
  /** The obsolete packet loads. */
  PACKET(Optional.empty());

  @SuppressWarnings("ImmutableEnumChecker") // an enum's constant
  private final Optional<ConformanceGroup> subset;

  ConformanceGroup(Optional<ConformanceGroup> subset) {
    this.subset = subset;
  }

  /**
   * {@return whether support of this group implies support of {@code other}}
   *
   * @param other a group of RFC 9669
   */
  public boolean includes(ConformanceGroup other) {
    return this == other || subset.equals(Optional.of(other));
  }

  /**
   * {@return the group of {@code instruction}; pseudo-instructions are in {@link #BASE32}}
   *
   * @param instruction of any kind
   */
  public static ConformanceGroup of(Instruction instruction) {
    if (instruction instanceof Alu alu) {
      boolean wide = alu.width() == Width.W64;
      return switch (alu.op()) {
        case MUL, DIV, SDIV, MOD, SMOD -> wide ? DIVMUL64 : DIVMUL32;
        case ADD, SUB, OR, AND, LSH, RSH, XOR, MOV, ARSH -> base(wide);
      };
    } else if (instruction instanceof Negate negate) {
      return base(negate.width() == Width.W64);
    } else if (instruction instanceof SignExtend extend) {
      return base(extend.width() == Width.W64);
    } else if (instruction instanceof ByteSwap swap) {
      return base(swap.bits() == Long.SIZE);
    } else if (instruction instanceof Load load) {
      return base(load.size() == Size.DW);
    } else if (instruction instanceof Store store) {
      return base(store.size() == Size.DW);
    } else if (instruction instanceof Jump jump) {
      return base(jump.width() == Width.W64);
    } else if (instruction instanceof Atomic atomic) {
      return atomic.size() == Size.DW ? ATOMIC64 : ATOMIC32;
    } else if (instruction instanceof LoadPacket) {
      return PACKET;
    }
    return base(instruction instanceof LoadWide);
  }

  private static ConformanceGroup base(boolean wide) {
    return wide ? BASE64 : BASE32;
  }
}
