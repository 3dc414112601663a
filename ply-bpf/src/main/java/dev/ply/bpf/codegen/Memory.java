package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Register;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Memory for a program's temporary values: the stack first, then the per-CPU scratch map. Freed at
 * the end of each scope.
 */
final class Memory {
  /** The size of the stack in bytes (MAX_BPF_STACK). */
  static final int STACK_SIZE = 512;

  /** The maximum size in bytes of the scratch map's value (PCPU_MIN_UNIT_SIZE). */
  private static final int SCRATCH_SIZE = 32 << 10;

  private final Optional<Register> scratch;
  private final int valuesOnStack;
  private final Map<Register, Register> outer = new HashMap<>();
  private Register frame = Register.R10;
  private int onStack;
  private int mostOnStack;
  private int inScratch;
  private int mostInScratch;

  /**
   * Creates memory, with a register that points to the scratch map's value, if it is used.
   *
   * @param valuesOnStack the maximum number of stack bytes for values; the rest is for registers
   */
  Memory(Optional<Register> scratch, int valuesOnStack) {
    this.scratch = scratch;
    this.valuesOnStack = valuesOnStack;
  }

  /** Thrown if a program needs the scratch map, which it was compiled without. */
  static final class NeedsScratch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NeedsScratch() {
      super("values do not fit on the stack", null, false, false);
    }
  }

  /** Thrown if a program holds more values at a time than fit the scratch map. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("values do not fit the scratch map", null, false, false);
    }
  }

  /** The memory in use at the start of a scope. */
  record Scope(int onStack, int inScratch) {}

  /** Returns {@code size} bytes, aligned to 8. */
  Place allocate(int size) {
    int bytes = (size + 7) & -8;
    if (onStack + bytes <= valuesOnStack) {
      onStack += bytes;
      mostOnStack = Math.max(mostOnStack, onStack);
      return new Place(frame, -onStack);
    }
    return allocateInScratch(bytes);
  }

  /**
   * Returns {@code size} bytes of the scratch map, aligned to 8: unlike those of the stack, they
   * can be read at computed offsets on all kernels.
   */
  Place allocateInScratch(int size) {
    Register base = scratch.orElseThrow(NeedsScratch::new);
    int bytes = (size + 7) & -8;
    if (inScratch + bytes > SCRATCH_SIZE) {
      throw new Exhausted();
    }
    Place place = new Place(base, inScratch);
    inScratch += bytes;
    mostInScratch = Math.max(mostInScratch, inScratch);
    return place;
  }

  /** Returns 8 bytes of the stack, beyond what is for values if need be. */
  Place allocateSlot() {
    onStack += Long.BYTES;
    mostOnStack = Math.max(mostOnStack, onStack);
    return new Place(frame, -onStack);
  }

  /** Returns the register that points to the end of the current function's stack. */
  Register frame() {
    return frame;
  }

  /** Returns the number of functions being compiled, the program included. */
  int depth() {
    return outer.size() + 1;
  }

  /**
   * Returns the register that points to the end of an enclosing function's stack, or any other
   * register itself.
   */
  Register outer(Register register) {
    return outer.getOrDefault(register, register);
  }

  /**
   * Compiles a function with a stack of its own, and returns how many bytes of it are in use.
   *
   * @param stackEnd the register that points to the end of its stack
   * @param caller the register that points to the end of the caller's stack
   */
  int inFunction(Register stackEnd, Register caller, Runnable function) {
    Register before = frame;
    Scope scope = open();
    int most = mostOnStack;
    outer.put(before, caller);
    frame = stackEnd;
    onStack = 0;
    mostOnStack = 0;
    function.run();
    int used = mostOnStack;
    frame = before;
    outer.remove(before);
    mostOnStack = most;
    close(scope);
    return used;
  }

  /** Returns whether a location is in the scratch map. */
  boolean isInScratch(Place place) {
    return scratch.filter(place.base()::equals).isPresent();
  }

  Scope open() {
    return new Scope(onStack, inScratch);
  }

  void close(Scope scope) {
    onStack = scope.onStack;
    inScratch = scope.inScratch;
  }

  /** Returns the maximum number of stack bytes in use. */
  int stackUsed() {
    return mostOnStack;
  }

  /** Returns the maximum number of scratch map bytes in use. */
  int scratchUsed() {
    return mostInScratch;
  }
}
