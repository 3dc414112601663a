package dev.ply.bpf.codegen.register;

import dev.ply.bpf.codegen.emit.Memory;
import java.util.ArrayList;
import java.util.List;

/** The stacks of a program's functions, which together have the size of one. */
public final class FunctionStacks {
  /** The kernel rounds up the stack of each function, even of those without any. */
  private static final int ROUNDING = 32;

  /** The largest stack of the functions at each call depth. */
  private final List<Integer> largest = new ArrayList<>();

  /** Begins with the stack bytes of the program itself, at most 512. */
  public FunctionStacks(int ofProgram) {
    largest.add(ofProgram);
  }

  /** Adds a function's stack in bytes. */
  public void add(int depth, int bytes) {
    while (largest.size() <= depth) {
      largest.add(0);
    }
    largest.set(depth, Math.max(largest.get(depth), bytes));
  }

  /**
   * Checks that the stacks of active functions fit.
   *
   * @throws RegisterAllocator.StackExhausted if they do not
   */
  public void check() {
    if (largest.size() == 1) {
      return;
    }
    int total = 0;
    for (int bytes : largest) {
      total += (Math.max(bytes, 1) + ROUNDING - 1) / ROUNDING * ROUNDING;
    }
    if (total > Memory.STACK_SIZE) {
      throw new RegisterAllocator.StackExhausted(total);
    }
  }
}
