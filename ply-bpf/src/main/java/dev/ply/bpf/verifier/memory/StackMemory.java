package dev.ply.bpf.verifier.memory;

import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.domain.StackState;
import java.util.Optional;

/** Loads and stores through stack pointers, the only memory whose contents states track. */
public final class StackMemory {
  private StackMemory() {}

  /** Returns the value of a load, if known. */
  public static Optional<RegisterState> read(AbstractState state, Pointer pointer, int size) {
    Optional<Integer> offset = constantOffset(pointer, size);
    if (!(pointer.region() instanceof Region.Stack stack)
        || offset.isEmpty()
        || Math.floorMod(offset.get(), size) != 0) {
      return Optional.empty();
    }
    return Optional.of(state.stack(stack.frame()).read(offset.get(), size));
  }

  /**
   * Returns the state after a store.
   *
   * @param whole whether an 8-byte store preserves the content as a spilled register
   */
  public static AbstractState store(
      AbstractState state, Pointer pointer, int size, RegisterState content, boolean whole) {
    Optional<Integer> offset = constantOffset(pointer, size);
    boolean zero = content instanceof Scalar number && number.equals(Scalar.constant(0));
    if (pointer.region() instanceof Region.Stack stack
        && whole
        && size == 8
        && offset.isPresent()
        && offset.get() % 8 == 0) {
      return state.withStack(
          stack.frame(), state.stack(stack.frame()).spill(offset.get(), content));
    }
    return write(state, pointer, size, zero);
  }

  /** Returns the state after a write of unknown or zero bytes. */
  public static AbstractState write(AbstractState state, Pointer pointer, int size, boolean zero) {
    if (!(pointer.region() instanceof Region.Stack stack) || size == 0) {
      return state;
    }
    StackState before = state.stack(stack.frame());
    Optional<Integer> offset = constantOffset(pointer, size);
    if (offset.isPresent()) {
      return state.withStack(
          stack.frame(),
          zero ? before.writeZero(offset.get(), size) : before.write(offset.get(), size));
    }
    return blur(state, pointer, size);
  }

  /** Returns the state after a write of unknown offset or length, up to {@code size}. */
  public static AbstractState blur(AbstractState state, Pointer pointer, int size) {
    if (!(pointer.region() instanceof Region.Stack stack)) {
      return state;
    }
    long min = pointer.offset() + pointer.variable().range().smin();
    long max = pointer.offset() + pointer.variable().range().smax();
    // A rejected access may reach outside; clip it.
    int from = (int) Math.max(-StackState.SIZE, min);
    int to = (int) Math.min(0, max > 0 ? 0 : max + size);
    return from >= to
        ? state
        : state.withStack(stack.frame(), state.stack(stack.frame()).blur(from, to - from));
  }

  private static Optional<Integer> constantOffset(Pointer pointer, int size) {
    return pointer
        .constantOffset()
        .filter(offset -> StackState.contains(offset, size))
        .map(Long::intValue);
  }
}
