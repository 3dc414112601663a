package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.CALL_DEPTH;

import java.util.ArrayList;
import java.util.List;

/** The frames of the running functions: 512 bytes of stack each, and what their callers keep. */
final class CallStack {
  private static final int DEPTH = 8;
  private static final int FRAME_SIZE = 512;
  private static final int FIRST_SAVED = 6;
  private static final int FRAME_POINTER = 10;

  /** What a caller finds again: r6 to r10, which of its registers are initialised, its place. */
  static final class Frame {
    private final Region stack;
    private final long[] saved = new long[FRAME_POINTER + 1 - FIRST_SAVED];
    private int callerInitialised;
    private int returnTo;

    private Frame(Region stack) {
      this.stack = stack;
    }

    int callerInitialised() {
      return callerInitialised;
    }

    int returnTo() {
      return returnTo;
    }
  }

  private final MachineMemory memory;
  private final List<Frame> frames = new ArrayList<>();
  private int depth;

  CallStack(MachineMemory memory) {
    this.memory = memory;
    for (int i = 0; i < DEPTH; i++) {
      Region stack = memory.map(Region.Kind.STACK, "", new byte[FRAME_SIZE]);
      memory.hide(stack);
      frames.add(new Frame(stack));
    }
  }

  /** Returns how many functions are running. */
  int depth() {
    return depth;
  }

  /** Enters a function: saves what its caller keeps, and points r10 to a fresh frame. */
  void enter(long[] registers, int initialised, int returnTo) {
    if (depth == DEPTH) {
      throw new VmFault(CALL_DEPTH, "calls a function from frame " + DEPTH + ", the deepest");
    }
    Frame frame = frames.get(depth++);
    System.arraycopy(registers, FIRST_SAVED, frame.saved, 0, frame.saved.length);
    frame.callerInitialised = initialised;
    frame.returnTo = returnTo;
    frame.stack.forget();
    memory.show(frame.stack);
    registers[FRAME_POINTER] = frame.stack.address() + FRAME_SIZE;
  }

  /**
   * Leaves the innermost function, gives its caller's registers back and tells where it goes on.
   */
  Frame leave(long[] registers) {
    Frame frame = frames.get(--depth);
    memory.hide(frame.stack);
    System.arraycopy(frame.saved, 0, registers, FIRST_SAVED, frame.saved.length);
    return frame;
  }

  /** Leaves all functions. */
  void unwind() {
    while (depth > 0) {
      memory.hide(frames.get(--depth).stack);
    }
  }
}
