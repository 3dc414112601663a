package dev.ply.bpf.verifier.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The abstract contents of a 512-byte stack frame, in 64 slots of 8 bytes. Immutable.
 *
 * <p>Offsets are relative to the frame pointer, -512 to -1.
 */
public final class StackState {
  /** Size of a stack frame in bytes. */
  public static final int SIZE = 512;

  private static final int SLOT = 8;
  private static final Bytes UNWRITTEN = new Bytes(0, 0);
  private static final StackState EMPTY = new StackState(emptySlots());

  private final Slot[] slots;

  private StackState(Slot[] slots) {
    this.slots = slots;
  }

  /** The contents of 8 bytes. */
  public sealed interface Slot {}

  /** Plain bytes, as bit sets of initialised and of zero bytes. */
  record Bytes(int written, int zero) implements Slot {}

  /** A spilled register. */
  record Spilled(RegisterState register) implements Slot {}

  /** Returns the uninitialised stack. */
  public static StackState empty() {
    return EMPTY;
  }

  /** Returns whether an access is inside the stack frame. */
  public static boolean contains(long offset, long size) {
    return offset >= -SIZE && offset + size <= 0;
  }

  /** Returns the number of initialised bytes among {@code size} bytes at {@code offset}. */
  public int writtenBytes(int offset, int size) {
    int written = 0;
    for (int at = offset; at < offset + size; at++) {
      if (slots[index(at)] instanceof Spilled
          || (slots[index(at)] instanceof Bytes bytes && (bytes.written & bit(at)) != 0)) {
        written++;
      }
    }
    return written;
  }

  /** Returns whether any of the bytes belongs to a spilled pointer. */
  public boolean holdsPointer(int offset, int size) {
    for (int at = offset; at < offset + size; at++) {
      if (slots[index(at)] instanceof Spilled spilled && spilled.register.isPointer()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of an aligned load of 1, 2, 4 or 8 bytes. */
  public RegisterState read(int offset, int size) {
    Slot slot = slots[index(offset)];
    if (slot instanceof Spilled spilled) {
      if (size == SLOT) {
        return spilled.register;
      }
      return spilled.register instanceof Scalar
          ? Scalar.ofBytes(size)
          : new RegisterState.Assumed();
    }
    int bits = ((1 << size) - 1) << Math.floorMod(offset, SLOT);
    return (((Bytes) slot).zero & bits) == bits ? Scalar.constant(0) : Scalar.ofBytes(size);
  }

  /** Returns the stack with a register spilled to an aligned slot. */
  public StackState spill(int offset, RegisterState register) {
    Slot[] changed = slots.clone();
    changed[index(offset)] = new Spilled(register);
    return new StackState(changed);
  }

  /** Returns the stack after a write of unknown bytes. */
  public StackState write(int offset, int size) {
    return fill(offset, size, false);
  }

  /** Returns the stack after a write of zeroes. */
  public StackState writeZero(int offset, int size) {
    return fill(offset, size, true);
  }

  /** Returns the stack after a write somewhere within the given bytes, which initialises none. */
  public StackState blur(int offset, int size) {
    Slot[] changed = slots.clone();
    for (int at = offset; at < offset + size; at++) {
      Bytes bytes = asBytes(changed[index(at)]);
      changed[index(at)] = new Bytes(bytes.written, bytes.zero & ~bit(at));
    }
    return new StackState(changed);
  }

  /** Returns the stack with each spilled register mapped. */
  public StackState map(UnaryOperator<RegisterState> change) {
    Slot[] changed = slots;
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] instanceof Spilled spilled) {
        RegisterState replaced = change.apply(spilled.register);
        if (replaced != spilled.register) {
          changed = changed == slots ? slots.clone() : changed;
          changed[i] = new Spilled(replaced);
        }
      }
    }
    return changed == slots ? this : new StackState(changed);
  }

  /**
   * Returns whether {@code other} subsumes this stack.
   *
   * @param read the slots that matter, the lowest bit for that farthest from the frame pointer
   */
  public boolean isSubsumedBy(StackState other, long read, IdentityMatch ids) {
    for (int i = 0; i < slots.length; i++) {
      if ((read & 1L << i) != 0 && !isSubsumed(slots[i], other.slots[i], ids)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a hash that is equal for stacks that subsume each other. */
  int shape() {
    int shape = 1;
    for (Slot slot : slots) {
      shape =
          31 * shape
              + (slot instanceof Bytes bytes
                  ? 256 * bytes.written + bytes.zero
                  : ((Spilled) slot).register.shape());
    }
    return shape;
  }

  /**
   * Returns a stack that subsumes this one, generalised where {@code other} differs; slots of
   * different kinds become uninitialised.
   *
   * @param numbers joins or widens two different spilled scalars
   */
  public StackState merge(StackState other, BinaryOperator<Scalar> numbers) {
    Slot[] changed = slots.clone();
    for (int i = 0; i < slots.length; i++) {
      changed[i] = merge(slots[i], other.slots[i], numbers);
    }
    return new StackState(changed);
  }

  // Slots that later code reads are initialised on all paths; the others must not prevent pruning.
  private static Slot merge(Slot mine, Slot other, BinaryOperator<Scalar> numbers) {
    if (mine.equals(other)) {
      return mine;
    }
    if (isPointer(mine) || isPointer(other)) {
      return isPointer(mine) && isPointer(other) ? mine : UNWRITTEN;
    }
    if (mine instanceof Spilled a
        && other instanceof Spilled b
        && a.register instanceof Scalar number
        && b.register instanceof Scalar old) {
      return new Spilled(numbers.apply(number, old));
    }
    Bytes left = asBytes(mine);
    Bytes right = asBytes(other);
    return new Bytes(left.written & right.written, left.zero & right.zero);
  }

  private static boolean isPointer(Slot slot) {
    return slot instanceof Spilled spilled && !(spilled.register instanceof Scalar);
  }

  private StackState fill(int offset, int size, boolean zero) {
    Slot[] changed = slots.clone();
    for (int at = offset; at < offset + size; at++) {
      Bytes bytes = asBytes(changed[index(at)]);
      int bit = bit(at);
      changed[index(at)] =
          new Bytes(bytes.written | bit, zero ? bytes.zero | bit : bytes.zero & ~bit);
    }
    return new StackState(changed);
  }

  private static boolean isSubsumed(Slot current, Slot old, IdentityMatch ids) {
    if (old instanceof Spilled spilledOld) {
      return current instanceof Spilled spilled
          && spilled.register.isSubsumedBy(spilledOld.register, ids);
    }
    Bytes bytesOld = (Bytes) old;
    if (bytesOld.written == 0) {
      return true;
    }
    if (current instanceof Spilled spilled && !(spilled.register instanceof Scalar)) {
      return false;
    }
    Bytes bytes = asBytes(current);
    return (bytesOld.written & ~bytes.written) == 0 && (bytesOld.zero & ~bytes.zero) == 0;
  }

  private static Bytes asBytes(Slot slot) {
    return slot instanceof Bytes bytes ? bytes : new Bytes(0xff, 0);
  }

  private static int index(int offset) {
    return Math.floorDiv(offset + SIZE, SLOT);
  }

  private static int bit(int offset) {
    return 1 << Math.floorMod(offset, SLOT);
  }

  private static Slot[] emptySlots() {
    Slot[] slots = new Slot[SIZE / SLOT];
    Arrays.fill(slots, UNWRITTEN);
    return slots;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StackState stack && Arrays.equals(slots, stack.slots);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(slots);
  }

  /** Returns the slots that differ in {@code before}, as text. */
  List<String> changesSince(StackState before) {
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      if (!slots[i].equals(UNWRITTEN) && !slots[i].equals(before.slots[i])) {
        changed.add(text(i));
      }
    }
    return changed;
  }

  @Override
  public String toString() {
    return String.join(" ", changesSince(EMPTY));
  }

  private String text(int index) {
    StringBuilder text = new StringBuilder("fp").append(index * SLOT - SIZE).append('=');
    if (slots[index] instanceof Spilled spilled) {
      return text.append(RegisterPrinter.print(spilled.register)).toString();
    }
    Bytes bytes = (Bytes) slots[index];
    for (int bit = 1; bit < 256; bit <<= 1) {
      text.append((bytes.zero & bit) != 0 ? '0' : (bytes.written & bit) != 0 ? 'm' : '?');
    }
    return text.toString();
  }
}
