package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Register;
import java.util.Optional;

/**
 * Memory for a program's temporary values: the stack first, then the per-CPU scratch map. What a
 * scope allocated is free again at its end.
 */
final class Memory {
  /** The stack's bytes (MAX_BPF_STACK). */
  static final int STACK_SIZE = 512;

  private final Optional<Register> scratch;
  private final int valuesOnStack;
  private int onStack;
  private int mostOnStack;
  private int inScratch;
  private int mostInScratch;

  /**
   * Memory with a register that points to the scratch map's value, or without one.
   *
   * @param valuesOnStack how many bytes of the stack values may take; the rest is for registers
   */
  Memory(Optional<Register> scratch, int valuesOnStack) {
    this.scratch = scratch;
    this.valuesOnStack = valuesOnStack;
  }

  /** Thrown when a program turns out to need the scratch map it was not given. */
  static final class NeedsScratch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NeedsScratch() {
      super("values do not fit on the stack", null, false, false);
    }
  }

  /** What a scope held when it began. */
  record Scope(int onStack, int inScratch) {}

  /** Returns {@code size} bytes, aligned to 8. */
  Place allocate(int size) {
    int bytes = (size + 7) & -8;
    if (onStack + bytes <= valuesOnStack) {
      onStack += bytes;
      mostOnStack = Math.max(mostOnStack, onStack);
      return new Place(Register.R10, -onStack);
    }
    Register base = scratch.orElseThrow(NeedsScratch::new);
    Place place = new Place(base, inScratch);
    inScratch += bytes;
    mostInScratch = Math.max(mostInScratch, inScratch);
    return place;
  }

  Scope open() {
    return new Scope(onStack, inScratch);
  }

  void close(Scope scope) {
    onStack = scope.onStack;
    inScratch = scope.inScratch;
  }

  /** Returns how many bytes of stack values took at most. */
  int stackUsed() {
    return mostOnStack;
  }

  /** Returns how many bytes of the scratch map values took at most. */
  int scratchUsed() {
    return mostInScratch;
  }
}
