package dev.ply.bpf.isa;

import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.diagnostic.SourceSpan;
import java.util.Optional;

/**
 * A BPF instruction (RFC 9669), or one of two pseudo-instructions that encode to nothing.
 *
 * <p>Jumps target {@link Label}s and maps have names, so instructions can be moved, added and
 * removed until {@link InstructionEncoder} resolves them. Registers may be virtual until register
 * allocation.
 */
public sealed interface Instruction {
  /** {@return the encoded size in 8-byte slots: 0, 1 or 2} */
  default int slots() {
    return 1;
  }

  /**
   * Calls the visitor's method for this kind of instruction.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * An exhaustive case distinction: a new kind of instruction is a compile error in every visitor.
   */
  interface Visitor<R> {
    /** Handles {@link Alu}. */
    R visit(Alu instruction);

    /** Handles {@link Negate}. */
    R visit(Negate instruction);

    /** Handles {@link SignExtend}. */
    R visit(SignExtend instruction);

    /** Handles {@link ByteSwap}. */
    R visit(ByteSwap instruction);

    /** Handles {@link LoadWide}. */
    R visit(LoadWide instruction);

    /** Handles {@link Load}. */
    R visit(Load instruction);

    /** Handles {@link Store}. */
    R visit(Store instruction);

    /** Handles {@link Atomic}. */
    R visit(Atomic instruction);

    /** Handles {@link LoadPacket}. */
    R visit(LoadPacket instruction);

    /** Handles {@link Jump}. */
    R visit(Jump instruction);

    /** Handles {@link Goto}. */
    R visit(Goto instruction);

    /** Handles {@link CallHelper}. */
    R visit(CallHelper instruction);

    /** Handles {@link CallLocal}. */
    R visit(CallLocal instruction);

    /** Handles {@link CallKernel}. */
    R visit(CallKernel instruction);

    /** Handles {@link Exit}. */
    R visit(Exit instruction);

    /** Handles {@link LabelMark}. */
    R visit(LabelMark instruction);

    /** Handles {@link SourceMark}. */
    R visit(SourceMark instruction);
  }

  /**
   * {@code dst = dst op src}; {@link AluOp#MOV} does not read {@code dst}.
   *
   * @param width of the operation; 32 bits zero the upper half of {@code dst}
   * @param dst the first operand and the result
   * @param src the second operand
   */
  record Alu(Width width, AluOp op, Register dst, Operand src) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code dst = -dst}.
   *
   * @param width of the operation; 32 bits zero the upper half of {@code dst}
   * @param dst the operand and the result
   */
  record Negate(Width width, Register dst) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code dst = (signed type of size from) src}. Needs kernel 6.6.
   *
   * @param width of the result; 32 bits zero the upper half of {@code dst}
   * @param from the size of the signed number
   * @param src the register with the number in its low bits
   */
  record SignExtend(Width width, Size from, Register dst, Register src) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Swaps or truncates the low {@code bits} (16, 32 or 64) of a register; zeroes the others.
   *
   * @param order the byte order to convert to, or an unconditional swap
   * @param bits 16, 32 or 64
   * @param dst the operand and the result
   */
  record ByteSwap(Order order, int bits, Register dst) implements Instruction {
    /** The resulting byte order. */
    public enum Order {
      /** Little endian: swaps on big-endian machines only. */
      LITTLE,
      /** Big endian: swaps on little-endian machines only. */
      BIG,
      /** Opposite of the current order: always swaps. Needs kernel 6.6. */
      SWAPPED
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code dst = } a 64-bit immediate ({@code lddw}): the only instruction of two slots.
   *
   * @param source the constant, or what it is the address of
   */
  record LoadWide(Register dst, WideSource source) implements Instruction {
    @Override
    public int slots() {
      return 2;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code dst = *(size *)(base + offset)}.
   *
   * @param size 1 to 8 bytes
   * @param extension how a narrower value fills the register
   * @param base the pointer
   * @param offset signed, in 16 bits
   */
  record Load(Size size, Extension extension, Register dst, Register base, int offset)
      implements Instruction {
    /**
     * Checks the offset.
     *
     * @throws IllegalArgumentException if it does not fit 16 bits
     */
    public Load {
      requireOffset(offset);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code *(size *)(base + offset) = src}.
   *
   * @param size 1 to 8 bytes
   * @param base the pointer
   * @param offset signed, in 16 bits
   * @param src of which the low bytes are stored
   */
  record Store(Size size, Register base, int offset, Operand src) implements Instruction {
    /**
     * Checks the offset.
     *
     * @throws IllegalArgumentException if it does not fit 16 bits
     */
    public Store {
      requireOffset(offset);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An atomic read-modify-write of 4 or 8 bytes at {@code base + offset}.
   *
   * @param size 4 or 8 bytes
   * @param op the operator, and whether the old value is returned
   * @param base the pointer
   * @param offset signed, in 16 bits
   * @param src the operand, and the old value where one is returned
   */
  record Atomic(Size size, AtomicOp op, Register base, int offset, Register src)
      implements Instruction {
    /**
     * Checks offset and size.
     *
     * @throws IllegalArgumentException if the offset does not fit 16 bits, or the size is not 4 or
     *     8
     */
    public Atomic {
      requireOffset(offset);
      if (size != Size.W && size != Size.DW) {
        throw new IllegalArgumentException(
            "atomic operations have 4 or 8 bytes, not " + size.bytes());
      }
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Legacy packet load of classic BPF: r0 = big-endian packet data at {@code offset + index}.
   *
   * @param size 1, 2 or 4 bytes
   * @param index added to the offset, if present
   * @param offset bytes from the start of the packet
   */
  record LoadPacket(Size size, Optional<Register> index, int offset) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Jumps to {@code target} if {@code left op right}.
   *
   * @param width of the comparison
   * @param op the condition
   * @param left the first operand
   * @param right the second operand
   * @param target where the program continues if the condition holds
   */
  record Jump(Width width, JumpOp op, Register left, Operand right, Label target)
      implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Jumps to {@code target}.
   *
   * @param target where the program continues
   */
  record Goto(Label target) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Calls the helper {@code number} with r1 to r5.
   *
   * @param number as in enum bpf_func_id
   */
  record CallHelper(int number) implements Instruction {
    /** {@return the helper, if known} */
    public Optional<Helper> helper() {
      return Helper.ofNumber(number);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Calls a function of the same program (bpf-to-bpf call).
   *
   * @param target the first instruction of the function
   * @param isGlobal whether the function is global, without parameters: verifiers check it once, by
   *     itself, and know nothing of its result (Linux 5.6)
   */
  record CallLocal(Label target, boolean isGlobal) implements Instruction {
    /** Calls a static function, which verifiers follow at each call. */
    public CallLocal(Label target) {
      this(target, /* isGlobal= */ false);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Calls a kernel function (kfunc) by its BTF ID.
   *
   * @param btfId in vmlinux
   */
  record CallKernel(int btfId) implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Returns from the function, or from the program with result r0. */
  record Exit() implements Instruction {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Pseudo-instruction: defines the position of a label.
   *
   * @param label defined once in a program
   */
  record LabelMark(Label label) implements Instruction {
    @Override
    public int slots() {
      return 0;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Pseudo-instruction: the source span of the instructions up to the next {@code SourceMark}. */
  record SourceMark(SourceSpan span) implements Instruction {
    @Override
    public int slots() {
      return 0;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  private static void requireOffset(int offset) {
    if (offset < Short.MIN_VALUE || offset > Short.MAX_VALUE) {
      throw new IllegalArgumentException("offset " + offset + " does not fit in 16 bits");
    }
  }
}
