package dev.ply.target;

import dev.ply.type.Type.IntType;
import java.util.Optional;

/**
 * An argument of a mark in a program, and where it is when the mark is reached.
 *
 * @param text as the mark describes it
 */
public record UsdtArgument(IntType type, Operand operand, String text) {
  /** Where a value is. */
  public sealed interface Operand {}

  /** In the code. */
  public record Constant(long value) implements Operand {}

  /**
   * In a register.
   *
   * @param name as the kernel names the members of struct pt_regs
   * @param shift the bits below it
   */
  public record Register(String name, int shift) implements Operand {}

  /**
   * In memory, at the sum of what is there.
   *
   * @param scale what the index is multiplied by: 1, 2, 4 or 8
   */
  public record Memory(Optional<String> base, Optional<String> index, int scale, long displacement)
      implements Operand {}

  /** Where no probe can get at it: in a register of floating-point numbers, say. */
  public record Elsewhere() implements Operand {}
}
