package dev.ply.bpf.vm.translate;

import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.interpret.Registers;
import dev.ply.bpf.vm.interpret.Step;
import java.util.BitSet;

/** The registers and bytes of its stack that a function has initialised for certain. */
final class Initialised {
  private final BitSet stack;
  private int registers;

  private Initialised(int registers, BitSet stack) {
    this.registers = registers;
    this.stack = stack;
  }

  /** Nothing but r10, as at the entry of a function whose callers are unknown. */
  Initialised() {
    this(Registers.FRAME_POINTER, new BitSet(CallStack.FRAME_SIZE));
  }

  Initialised copy() {
    return new Initialised(registers, (BitSet) stack.clone());
  }

  /** Returns the bit set of initialised registers. */
  int registers() {
    return registers;
  }

  /**
   * Returns whether the bytes of the stack that a load or store accesses by r10 are initialised.
   */
  boolean hasStack(Step step) {
    int at = stackOffset(step);
    return stack.nextClearBit(at) >= at + step.bytes();
  }

  /** Returns the registers that a step uses which may be uninitialised. */
  int missing(Step step) {
    int used =
        switch (step.kind()) {
          case CALL_HELPER -> Registers.atEntry(step.helper().signature().parameters().size());
          case CALL_LOCAL -> Registers.ARGUMENTS;
          case EXIT -> Registers.RESULT;
          default -> step.reads();
        };
    return used & ~registers;
  }

  /** Keeps what another state has, too; returns whether that changed anything. */
  boolean intersect(Initialised other) {
    int registersBefore = registers;
    int bytesBefore = stack.cardinality();
    registers &= other.registers;
    stack.and(other.stack);
    return registers != registersBefore || stack.cardinality() != bytesBefore;
  }

  /** Adds what is initialised after a step that has not faulted. */
  void execute(Step step) {
    registers |= step.reads() | step.writes();
    if (accessesStack(step)) {
      int at = stackOffset(step);
      stack.set(at, at + step.bytes());
    }
    switch (step.kind()) {
      case CALL_HELPER -> registers = Registers.afterHelper(registers, step.helper());
      case CALL_LOCAL -> registers = Registers.afterCall(registers, 0);
      default -> {}
    }
  }

  /** Returns whether a step loads or stores inside of its function's stack, by r10. */
  static boolean accessesStack(Step step) {
    if (!step.kind().isLoad() && !step.kind().isStore()) {
      return false;
    }
    int base = step.kind().isLoad() ? step.source() : step.destination();
    int at = stackOffset(step);
    return base == 10 && at >= 0 && at + step.bytes() <= CallStack.FRAME_SIZE;
  }

  /** Returns the offset from the bottom of the stack of an access by r10. */
  static int stackOffset(Step step) {
    return CallStack.FRAME_SIZE + step.offset();
  }
}
