package dev.ply.builtin;

import dev.ply.ir.Expr;
import dev.ply.table.StackMode;
import java.util.OptionalInt;

/**
 * Depth and format of a stack trace, and how its frames are found.
 *
 * @param depth the maximum number of frames, 1 to {@link #DEEPEST}; empty for the default
 * @param mode the print format
 * @param walk of user stacks
 */
public record StackShape(OptionalInt depth, StackMode mode, StackWalk walk) {
  /** The kernel's default of kernel.perf_event_max_stack. */
  public static final int DEEPEST = 127;

  /** The keyword for the kernel's stack on the user stack. */
  public static final String BOTH = "both";

  /** Returns whether a call of {@code stack} is for the kernel's stack on the user stack. */
  public static boolean isOfBoth(Expr.Call call) {
    return !call.arguments().isEmpty()
        && call.arguments().get(0) instanceof Expr.StringLiteral word
        && word.value().equals(BOTH);
  }

  /** Returns depth and format of a checked call of {@code stack} or {@code ustack}. */
  public static StackShape of(Expr.Call call) {
    OptionalInt depth = OptionalInt.empty();
    StackMode mode = StackMode.PLY;
    StackWalk walk = StackWalk.DWARF;
    for (Expr argument : call.arguments()) {
      if (argument instanceof Expr.IntLiteral number) {
        depth = OptionalInt.of((int) number.value());
      } else if (argument instanceof Expr.StringLiteral name) {
        mode = StackMode.named(name.value()).orElse(mode);
        walk = StackWalk.named(name.value()).orElse(walk);
      }
    }
    return new StackShape(depth, mode, walk);
  }
}
