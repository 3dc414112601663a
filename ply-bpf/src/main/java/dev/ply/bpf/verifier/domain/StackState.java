package dev.ply.bpf.verifier.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * What is known of the 512 bytes of a frame's stack, in 64 slots of 8 bytes. Offsets are those from
 * the frame pointer, -512 to -1. Immutable.
 */
public final class StackState {
  /** The bytes of a stack. */
  public static final int SIZE = 512;

  private static final int SLOT = 8;
  private static final Bytes UNWRITTEN = new Bytes(0, 0);
  private static final StackState EMPTY = new StackState(emptySlots());

  private final Slot[] slots;

  private StackState(Slot[] slots) {
    this.slots = slots;
  }

  /** What 8 bytes hold. */
  public sealed interface Slot {}

  /** Plain bytes: one bit for each that was written, and for each known to be zero. */
  record Bytes(int written, int zero) implements Slot {}

  /** A whole register, with all that was known of it. */
  record Spilled(RegisterState register) implements Slot {}

  /** Returns the stack of which nothing was written. */
  public static StackState empty() {
    return EMPTY;
  }

  /** Returns whether an access lies inside the stack. */
  public static boolean contains(long offset, long size) {
    return offset >= -SIZE && offset + size <= 0;
  }

  /** Returns how many of the {@code size} bytes at {@code offset} were written. */
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

  /** Returns whether some of these bytes belong to a spilled pointer. */
  public boolean holdsPointer(int offset, int size) {
    for (int at = offset; at < offset + size; at++) {
      if (slots[index(at)] instanceof Spilled spilled && spilled.register.isPointer()) {
        return true;
      }
    }
    return false;
  }

  /** Returns what a read of a slot-aligned piece of 1, 2, 4 or 8 bytes gives. */
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

  /** Returns the stack with a whole register at a slot-aligned offset. */
  public StackState spill(int offset, RegisterState register) {
    Slot[] changed = slots.clone();
    changed[index(offset)] = new Spilled(register);
    return new StackState(changed);
  }

  /** Returns the stack with unknown bytes written. */
  public StackState write(int offset, int size) {
    return fill(offset, size, false);
  }

  /** Returns the stack with zeroes written. */
  public StackState writeZero(int offset, int size) {
    return fill(offset, size, true);
  }

  /**
   * Returns the stack after a write somewhere inside a piece: what it held may be gone, what was
   * not written may still not be.
   */
  public StackState blur(int offset, int size) {
    Slot[] changed = slots.clone();
    for (int at = offset; at < offset + size; at++) {
      Bytes bytes = asBytes(changed[index(at)]);
      changed[index(at)] = new Bytes(bytes.written, bytes.zero & ~bit(at));
    }
    return new StackState(changed);
  }

  /** Returns the stack with each spilled register replaced. */
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

  /** Returns whether all that is true of {@code other} is true of this. */
  public boolean isSubsumedBy(StackState other, IdentityMatch ids) {
    for (int i = 0; i < slots.length; i++) {
      if (!isSubsumed(slots[i], other.slots[i], ids)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a number that is equal for stacks that subsume each other. */
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
   * Returns this stack with less known of every word that differs in {@code other}; words of two
   * kinds are as if never written.
   *
   * @param numbers what is made of two spilled numbers that differ
   */
  public StackState merge(StackState other, BinaryOperator<Scalar> numbers) {
    Slot[] changed = slots.clone();
    for (int i = 0; i < slots.length; i++) {
      changed[i] = merge(slots[i], other.slots[i], numbers);
    }
    return new StackState(changed);
  }

  /** What later code reads is written on all ways to it; the rest must not keep states apart. */
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

  /** Returns the words that hold something else than in {@code before}, each as text. */
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
