package dev.ply.builtin;

import dev.ply.ir.Expr;
import dev.ply.result.StackMode;
import java.util.OptionalInt;

/**
 * What a script wants of a stack trace.
 *
 * @param depth how many functions, the innermost ones, 1 to {@link #DEEPEST}; empty if it does not
 *     say
 * @param mode how it prints
 */
public record StackShape(OptionalInt depth, StackMode mode) {
  /**
   * What the kernel takes unless its administrator sets another limit, kernel.perf_event_max_stack.
   */
  public static final int DEEPEST = 127;

  /** Returns what a call of {@code stack} or {@code ustack} that has been checked asks for. */
  public static StackShape of(Expr.Call call) {
    OptionalInt depth = OptionalInt.empty();
    StackMode mode = StackMode.PLY;
    for (Expr argument : call.arguments()) {
      if (argument instanceof Expr.IntLiteral number) {
        depth = OptionalInt.of((int) number.value());
      } else if (argument instanceof Expr.StringLiteral name) {
        mode = StackMode.named(name.value()).orElse(mode);
      }
    }
    return new StackShape(depth, mode);
  }
}
