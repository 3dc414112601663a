package dev.ply.machine;

import dev.ply.type.Type.IntType;
import java.util.Optional;

/**
 * An argument of a USDT probe and its location when the probe is hit.
 *
 * @param type its size and signedness
 * @param operand where it is at the probe
 * @param text as the USDT note describes it
 */
public record UsdtArgument(IntType type, Operand operand, String text) {
  /** The location of an argument. */
  public sealed interface Operand {}

  /**
   * A constant.
   *
   * @param value extended to 64 bits
   */
  public record Constant(long value) implements Operand {}

  /**
   * A register.
   *
   * @param name the member of struct pt_regs
   * @param shift the number of lower bits that are not part of it
   */
  public record Register(String name, int shift) implements Operand {}

  /**
   * Memory, at base + index * scale + offset.
   *
   * @param base the member of struct pt_regs, if any
   * @param index the member of struct pt_regs, if any
   * @param scale 1, 2, 4 or 8
   * @param displacement the constant part of the address, in bytes
   */
  public record Memory(Optional<String> base, Optional<String> index, int scale, long displacement)
      implements Operand {}

  /**
   * Memory at a symbol of the file, which its name stands for.
   *
   * @param symbol as in the ELF symbol table
   * @param rest what is added to its address; with the base {@code rip} it is that where the file
   *     is loaded
   */
  public record AtSymbol(String symbol, Memory rest) implements Operand {}

  /** A location that programs cannot read, such as a floating-point register. */
  public record Elsewhere() implements Operand {}
}
