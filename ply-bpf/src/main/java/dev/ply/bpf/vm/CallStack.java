package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.CALL_DEPTH;

import java.util.ArrayList;
import java.util.List;

/** The call stack of a run: up to 8 frames of 512 bytes, with the callers' saved registers. */
final class CallStack {
  private static final int DEPTH = 8;
  private static final int FRAME_SIZE = 512;
  private static final int FIRST_SAVED = 6;
  private static final int FRAME_POINTER = 10;

  /** A stack frame, with the caller's r6 to r10, initialised registers and return address. */
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

  /** Returns the number of active frames. */
  int depth() {
    return depth;
  }

  /** Pushes a frame: saves the caller's registers and points r10 to a fresh stack. */
  void enter(long[] registers, int initialised, int returnTo) {
    if (depth == DEPTH) {
      throw new VmFault(CALL_DEPTH, "calls a function from frame " + DEPTH + ", the maximum");
    }
    Frame frame = frames.get(depth++);
    System.arraycopy(registers, FIRST_SAVED, frame.saved, 0, frame.saved.length);
    frame.callerInitialised = initialised;
    frame.returnTo = returnTo;
    frame.stack.reset();
    memory.show(frame.stack);
    registers[FRAME_POINTER] = frame.stack.address() + FRAME_SIZE;
  }

  /** Pops the innermost frame and restores the caller's registers. */
  Frame leave(long[] registers) {
    Frame frame = frames.get(--depth);
    memory.hide(frame.stack);
    System.arraycopy(frame.saved, 0, registers, FIRST_SAVED, frame.saved.length);
    return frame;
  }

  /** Pops all frames. */
  void unwind() {
    while (depth > 0) {
      memory.hide(frames.get(--depth).stack);
    }
  }
}
