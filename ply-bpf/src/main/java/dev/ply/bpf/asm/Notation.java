package dev.ply.bpf.asm;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The keywords of the kernel's notation, for printing and parsing. */
final class Notation {
  /** The prefix of helper names. */
  static final String HELPER_PREFIX = "bpf_";

  /** The name of an unknown helper, followed by its number. */
  static final String UNKNOWN_HELPER = "unknown";

  /** The name of a kernel function, followed by its BTF ID. */
  static final String KERNEL_FUNCTION = "kernel-function";

  /** The type of a memory access, such as {@code s16}: size and extension. */
  record MemoryType(Size size, Extension extension) {
    boolean isSigned() {
      return extension == Extension.SIGN;
    }

    @Override
    public String toString() {
      return (extension == Extension.ZERO ? "u" : "s") + size.bytes() * Byte.SIZE;
    }
  }

  /** A register or its lower half, such as {@code w1}. */
  record SizedRegister(Width width, Register register) {
    @Override
    public String toString() {
      if (width == Width.W64) {
        return register.toString();
      }
      return register.isVirtual() ? "w" + register : "w" + register.number();
    }
  }

  /** The operator of a byte swap, such as {@code be16}. */
  record Swap(ByteSwap.Order order, int bits) {
    @Override
    public String toString() {
      return switch (order) {
            case LITTLE -> "le";
            case BIG -> "be";
            case SWAPPED -> "bswap";
          }
          + bits;
    }
  }

  /** An atomic operation in function notation, such as {@code atomic64_xchg}. */
  record AtomicFunction(AtomicOp op, Size size) {
    @Override
    public String toString() {
      return (size == Size.DW ? "atomic64_" : "atomic_") + op.name().toLowerCase(Locale.ROOT);
    }
  }

  static final ImmutableMap<String, AluOp> ALU =
      byText(Arrays.stream(AluOp.values()), AluOp::symbol);

  static final ImmutableMap<String, JumpOp> JUMP =
      byText(Arrays.stream(JumpOp.values()), JumpOp::symbol);

  /** The atomic operations that do not return the old value. */
  static final ImmutableMap<String, AtomicOp> ATOMIC =
      byText(EnumSet.allOf(AtomicOp.class).stream().filter(op -> !op.fetches()), AtomicOp::symbol);

  static final ImmutableMap<String, AtomicFunction> ATOMIC_FUNCTIONS =
      byText(
          EnumSet.allOf(AtomicOp.class).stream()
              .filter(AtomicOp::fetches)
              .flatMap(op -> Stream.of(Size.W, Size.DW).map(size -> new AtomicFunction(op, size))),
          AtomicFunction::toString);

  static final ImmutableMap<String, MemoryType> MEMORY_TYPES =
      byText(
          Arrays.stream(Size.values())
              .flatMap(
                  size ->
                      Arrays.stream(Extension.values())
                          .map(extension -> new MemoryType(size, extension)))
              .filter(type -> type.size() != Size.DW || !type.isSigned()),
          MemoryType::toString);

  static final ImmutableMap<String, Swap> SWAPS =
      byText(
          Arrays.stream(ByteSwap.Order.values())
              .flatMap(order -> Stream.of(16, 32, 64).map(bits -> new Swap(order, bits))),
          Swap::toString);

  static final ImmutableMap<String, SizedRegister> MACHINE_REGISTERS =
      byText(
          IntStream.rangeClosed(0, 10)
              .mapToObj(Register::new)
              .flatMap(
                  register ->
                      Arrays.stream(Width.values())
                          .map(width -> new SizedRegister(width, register))),
          SizedRegister::toString);

  static final ImmutableMap<String, Helper> HELPERS =
      byText(Arrays.stream(Helper.values()), Notation::name);

  private Notation() {}

  /** Returns the full name of {@code helper} in the kernel. */
  static String name(Helper helper) {
    return HELPER_PREFIX + helper.kernelName();
  }

  private static <T> ImmutableMap<String, T> byText(Stream<T> values, Function<T, String> text) {
    return Maps.uniqueIndex(values.iterator(), text::apply);
  }
}
