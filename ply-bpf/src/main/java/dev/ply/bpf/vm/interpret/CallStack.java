package dev.ply.bpf.vm.interpret;

import static dev.ply.bpf.vm.memory.VmFault.Kind.CALL_DEPTH;

import dev.ply.bpf.vm.memory.LittleEndian;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.ArrayList;
import java.util.List;

/** The call stack of a run: up to 8 frames of 512 bytes, with the callers' saved registers. */
public final class CallStack {
  private static final int DEPTH = 8;

  /** Bytes of stack in a frame. */
  public static final int FRAME_SIZE = 512;

  private static final int FIRST_SAVED = 6;
  private static final int FRAME_POINTER = 10;

  /**
   * A stack frame, with what the interpreter saves of the caller: r6 to r10, initialised registers
   * and the return address.
   *
   * <p>Loads and stores are for offsets from the bottom of the stack that are known to be in it;
   * loads and {@code store} methods for initialised bytes.
   */
  public static final class Frame {
    private final Region stack;
    private final byte[] bytes;
    private final byte[] shadow;
    private final long[] saved = new long[FRAME_POINTER + 1 - FIRST_SAVED];
    private int callerInitialised;
    private int returnTo;

    private Frame(Region stack) {
      this.stack = stack;
      this.bytes = stack.bytes();
      this.shadow = stack.shadow();
    }

    /** Returns the address past the end of the stack: r10. */
    public long top() {
      return stack.address() + FRAME_SIZE;
    }

    /** Loads 1 byte, zero-extended. */
    public long load8(int at) {
      return LittleEndian.get8(bytes, at);
    }

    /** Stores 1 byte that is initialised. */
    public void store8(int at, long value) {
      LittleEndian.set8(bytes, at, value);
    }

    /** Stores 1 byte and marks it as initialised. */
    public void initialise8(int at, long value) {
      LittleEndian.set8(bytes, at, value);
      LittleEndian.set8(shadow, at, -1);
    }

    /** Loads 2 bytes, zero-extended. */
    public long load16(int at) {
      return LittleEndian.get16(bytes, at);
    }

    /** Stores 2 bytes that are initialised. */
    public void store16(int at, long value) {
      LittleEndian.set16(bytes, at, value);
    }

    /** Stores 2 bytes and marks them as initialised. */
    public void initialise16(int at, long value) {
      LittleEndian.set16(bytes, at, value);
      LittleEndian.set16(shadow, at, -1);
    }

    /** Loads 4 bytes, zero-extended. */
    public long load32(int at) {
      return LittleEndian.get32(bytes, at);
    }

    /** Stores 4 bytes that are initialised. */
    public void store32(int at, long value) {
      LittleEndian.set32(bytes, at, value);
    }

    /** Stores 4 bytes and marks them as initialised. */
    public void initialise32(int at, long value) {
      LittleEndian.set32(bytes, at, value);
      LittleEndian.set32(shadow, at, -1);
    }

    /** Loads 8 bytes, zero-extended. */
    public long load64(int at) {
      return LittleEndian.get64(bytes, at);
    }

    /** Stores 8 bytes that are initialised. */
    public void store64(int at, long value) {
      LittleEndian.set64(bytes, at, value);
    }

    /** Stores 8 bytes and marks them as initialised. */
    public void initialise64(int at, long value) {
      LittleEndian.set64(bytes, at, value);
      LittleEndian.set64(shadow, at, -1);
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

  /** Begins with the frame of the program; frames are regions of {@code memory}. */
  public CallStack(MachineMemory memory) {
    this.memory = memory;
    for (int i = 0; i < DEPTH; i++) {
      Region stack = memory.map(Region.Kind.STACK, "", new byte[FRAME_SIZE]);
      memory.hide(stack);
      frames.add(new Frame(stack));
    }
  }

  /** Returns the number of active frames. */
  public int depth() {
    return depth;
  }

  /** Pushes a frame with a fresh stack. */
  public Frame enter() {
    if (depth == DEPTH) {
      throw new VmFault(CALL_DEPTH, "calls a function from frame " + DEPTH + ", the maximum");
    }
    Frame frame = frames.get(depth++);
    frame.stack.reset();
    memory.show(frame.stack);
    return frame;
  }

  /** Pops the innermost frame. */
  public Frame leave() {
    Frame frame = frames.get(--depth);
    memory.hide(frame.stack);
    return frame;
  }

  /** Returns the innermost frame. */
  public Frame innermost() {
    return frames.get(depth - 1);
  }

  /** Pushes a frame: saves the caller's registers and points r10 to a fresh stack. */
  public void enter(long[] registers, int initialised, int returnTo) {
    Frame frame = enter();
    System.arraycopy(registers, FIRST_SAVED, frame.saved, 0, frame.saved.length);
    frame.callerInitialised = initialised;
    frame.returnTo = returnTo;
    registers[FRAME_POINTER] = frame.top();
  }

  /** Pops the innermost frame and restores the caller's registers. */
  public Frame leave(long[] registers) {
    Frame frame = leave();
    System.arraycopy(frame.saved, 0, registers, FIRST_SAVED, frame.saved.length);
    return frame;
  }

  /** Pops all frames. */
  public void unwind() {
    while (depth > 0) {
      memory.hide(frames.get(--depth).stack);
    }
  }
}
