package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Register;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory for a program's temporary values: the stack first, then the per-CPU scratch map. Freed at
 * the end of each scope.
 */
public final class Memory {
  /** The size of the stack in bytes (MAX_BPF_STACK). */
  public static final int STACK_SIZE = 512;

  /** The maximum size in bytes of the scratch map's value (PCPU_MIN_UNIT_SIZE). */
  private static final int SCRATCH_SIZE = 32 << 10;

  private final List<ScratchValue> scratch;
  private final int valuesOnStack;
  private final Map<Register, Register> outer = new HashMap<>();
  private Register frame = Register.R10;
  private int onStack;
  private int mostOnStack;
  private final int[] inScratch;
  private int mostInScratch;

  /**
   * Creates memory, with the values of the scratch map that are used.
   *
   * @param valuesOnStack the maximum number of stack bytes for values; the rest is for registers
   */
  public Memory(List<ScratchValue> scratch, int valuesOnStack) {
    this.scratch = List.copyOf(scratch);
    this.inScratch = new int[scratch.size()];
    this.valuesOnStack = valuesOnStack;
  }

  /** Thrown if a program needs the scratch map, which it was compiled without. */
  public static final class NeedsScratch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NeedsScratch() {
      super("values do not fit on the stack", null, false, false);
    }
  }

  /** Thrown if a program holds more values at a time than fit the scratch map. */
  public static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("values do not fit the scratch map", null, false, false);
    }
  }

  /** The memory in use at the start of a scope. */
  public record Scope(int onStack, List<Integer> inScratch) {
    public Scope {
      inScratch = List.copyOf(inScratch);
    }
  }

  /** Returns {@code size} bytes, aligned to 8. */
  public Place allocate(int size) {
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
  public Place allocateInScratch(int size) {
    if (scratch.isEmpty()) {
      throw new NeedsScratch();
    }
    int bytes = (size + 7) & -8;
    for (int i = 0; i < inScratch.length; i++) {
      if (inScratch[i] + bytes <= SCRATCH_SIZE) {
        Place place = new Place(scratch.get(i).base(), inScratch[i]);
        inScratch[i] += bytes;
        mostInScratch = Math.max(mostInScratch, inScratch[i]);
        return place;
      }
    }
    throw new Exhausted();
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
  public int depth() {
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
   * Compiles a function with a stack of its own, and returns how many bytes of it are in use. What
   * it has of the scratch map is freed with the surrounding scope.
   *
   * @param stackEnd the register that points to the end of its stack
   * @param caller the register that points to the end of the caller's stack
   */
  int inFunction(Register stackEnd, Register caller, Runnable function) {
    Register before = frame;
    int onStackBefore = onStack;
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
    onStack = onStackBefore;
    return used;
  }

  /** Returns whether a location is in the scratch map. */
  public boolean isInScratch(Place place) {
    return isScratch(place.base().number());
  }

  /** Returns whether a register has the address of a value of the scratch map. */
  boolean isScratch(int register) {
    return scratch.stream().anyMatch(value -> value.base().number() == register);
  }

  /** Returns the values of the scratch map that are used. */
  List<ScratchValue> scratch() {
    return scratch;
  }

  /** Opens a scope; stack bytes that are allocated from here on belong to it. */
  public Scope open() {
    return new Scope(onStack, Arrays.stream(inScratch).boxed().toList());
  }

  /** Closes a scope, whose stack bytes can be allocated again. */
  public void close(Scope scope) {
    onStack = scope.onStack;
    Arrays.setAll(inScratch, scope.inScratch::get);
  }

  /** Returns the maximum number of stack bytes in use. */
  public int stackUsed() {
    return mostOnStack;
  }

  /** Returns the maximum number of bytes in use of a value of the scratch map. */
  public int scratchUsed() {
    return mostInScratch;
  }
}
