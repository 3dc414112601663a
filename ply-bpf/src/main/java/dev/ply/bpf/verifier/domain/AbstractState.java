package dev.ply.bpf.verifier.domain;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.isa.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * All that is known at one point of one path: the frames of the active functions, and the records
 * reserved and not given back. Immutable.
 *
 * @param frames the program first, the running function last
 * @param references the numbers of the reserved records, in the order in which they were reserved,
 *     each with the index of the instruction that did it
 * @param lastId the last identity given on this path
 */
public record AbstractState(
    ImmutableList<Frame> frames, ImmutableMap<Integer, Integer> references, int lastId) {

  /** Returns the state at the program's first instruction. */
  public static AbstractState atEntry(RegisterState context) {
    Frame frame = Frame.enter(0, -1, 0).with(Register.R1, context);
    return new AbstractState(ImmutableList.of(frame), ImmutableMap.of(), 0);
  }

  /** Returns the running function's frame. */
  public Frame frame() {
    return frames.get(frames.size() - 1);
  }

  /** Returns the number of frames, at least one. */
  public int depth() {
    return frames.size();
  }

  /** Returns what a register of the running function holds. */
  public RegisterState register(Register register) {
    return frame().register(register);
  }

  /** Returns the state with a register replaced. */
  public AbstractState with(Register register, RegisterState content) {
    return withFrame(frames.size() - 1, frame().with(register, content));
  }

  /** Returns the stack of a frame. */
  public StackState stack(int frame) {
    return frames.get(frame).stack();
  }

  /** Returns the state with a frame's stack replaced. */
  public AbstractState withStack(int frame, StackState stack) {
    return withFrame(frame, frames.get(frame).withStack(stack));
  }

  /** Returns the state inside a called function, its arguments in r1 to r5. */
  public AbstractState call(int function, int returnIndex) {
    Frame entered = Frame.enter(frames.size(), returnIndex, function);
    for (int i = 1; i <= 5; i++) {
      entered = entered.with(Register.argument(i), register(Register.argument(i)));
    }
    return new AbstractState(
        ImmutableList.<Frame>builder().addAll(frames).add(entered).build(), references, lastId);
  }

  /**
   * Returns the state inside a function that a helper calls.
   *
   * @param call the index of the helper's call
   * @param arguments what r1 and up hold
   */
  public AbstractState callBack(int function, int call, List<RegisterState> arguments) {
    Frame entered = Frame.enterCallback(frames.size(), call, function, references.size());
    for (int i = 0; i < arguments.size(); i++) {
      entered = entered.with(Register.argument(i + 1), arguments.get(i));
    }
    return new AbstractState(
        ImmutableList.<Frame>builder().addAll(frames).add(entered).build(), references, lastId);
  }

  /**
   * Returns the state in the helper that called the running function, its arguments still there.
   */
  public AbstractState leaveCallback() {
    // Records that the function has left are a violation; once told, they must not pile up.
    ImmutableMap<Integer, Integer> held =
        references.entrySet().stream()
            .limit(frame().heldAtEntry())
            .collect(ImmutableMap.toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
    return new AbstractState(frames.subList(0, frames.size() - 1), held, lastId);
  }

  /** Returns the state after the running function's exit; not for the program itself. */
  public AbstractState leave() {
    RegisterState result = register(Register.R0);
    AbstractState caller =
        new AbstractState(frames.subList(0, frames.size() - 1), references, lastId);
    return caller.withLostArguments().with(Register.R0, result);
  }

  /** Returns the state with r1 to r5 lost, as calls leave them. */
  public AbstractState withLostArguments() {
    Frame frame = frame();
    for (int i = 1; i <= 5; i++) {
      frame =
          frame.with(
              Register.argument(i),
              new RegisterState.Uninitialized(RegisterState.Cause.LOST_BY_CALL));
    }
    return withFrame(frames.size() - 1, frame);
  }

  /** Returns the state with one more identity given: {@link #lastId}. */
  public AbstractState withFreshId() {
    return new AbstractState(frames, references, lastId + 1);
  }

  /** Returns the state with a record to be given back, which the instruction there reserved. */
  public AbstractState withReference(int reference, int index) {
    return new AbstractState(
        frames,
        ImmutableMap.<Integer, Integer>builder()
            .putAll(references)
            .put(reference, index)
            .buildOrThrow(),
        lastId);
  }

  /** Returns the state after a record was given back: nothing points to it any more. */
  public AbstractState release(int reference) {
    return withoutReference(reference)
        .map(
            content ->
                content instanceof RegisterState.Pointer pointer
                        && pointer.region() instanceof Region.RingRecord record
                        && record.reference() == reference
                    ? new RegisterState.Uninitialized(RegisterState.Cause.RECORD_GIVEN_BACK)
                    : content);
  }

  /** Returns the state where the pointer of that identity, with its copies, is null. */
  public AbstractState withNull(int nullId) {
    AbstractState result = this;
    for (Frame frame : frames) {
      for (RegisterState content : frame.registers()) {
        if (content instanceof RegisterState.Pointer pointer
            && pointer.nullId() == nullId
            && pointer.region() instanceof Region.RingRecord record) {
          result = result.withoutReference(record.reference());
        }
      }
    }
    return result.map(
        content ->
            content instanceof RegisterState.Pointer pointer && pointer.nullId() == nullId
                ? Scalar.constant(0)
                : content);
  }

  /** Returns the state where the pointer of that identity, with its copies, is not null. */
  public AbstractState withNotNull(int nullId) {
    return map(
        content ->
            content instanceof RegisterState.Pointer pointer && pointer.nullId() == nullId
                ? new RegisterState.Pointer(
                    pointer.region(), pointer.offset(), pointer.variable(), 0)
                : content);
  }

  /** Returns the state with a number learned for all registers of that number's identity. */
  public AbstractState withNumber(Register register, Scalar learned) {
    if (learned.id() == 0) {
      return with(register, learned);
    }
    return map(
        content ->
            content instanceof Scalar scalar && scalar.id() == learned.id() ? learned : content);
  }

  /**
   * Returns the state without the registers that later code does not read, and without identities
   * that only one register has left.
   *
   * @param isLive tells of a frame's depth and a register whether it is read later
   */
  public AbstractState forget(BiFunction<Integer, Register, Boolean> isLive) {
    ImmutableList.Builder<Frame> kept = ImmutableList.builder();
    for (int depth = 0; depth < frames.size(); depth++) {
      int at = depth;
      kept.add(frames.get(depth).forget(register -> isLive.apply(at, register)));
    }
    AbstractState result = new AbstractState(kept.build(), references, lastId);
    Map<Integer, Integer> holders = new HashMap<>();
    result.map(
        content -> {
          if (content instanceof Scalar scalar && scalar.id() != 0) {
            holders.merge(scalar.id(), 1, Integer::sum);
          }
          return content;
        });
    return result.map(
        content ->
            content instanceof Scalar scalar && holders.getOrDefault(scalar.id(), 2) == 1
                ? scalar.withId(0)
                : content);
  }

  /** Returns whether a path that is safe from {@code other} on is safe from this state on. */
  public boolean isSubsumedBy(AbstractState other) {
    if (frames.size() != other.frames.size() || references.size() != other.references.size()) {
      return false;
    }
    IdentityMatch ids = new IdentityMatch();
    for (int i = 0; i < frames.size(); i++) {
      if (!frames.get(i).isSubsumedBy(other.frames.get(i), ids)) {
        return false;
      }
    }
    return matchReferences(other.references.keySet().asList(), ids);
  }

  /** Returns a number that is equal for states that subsume each other. */
  public int shape() {
    int shape = references.size();
    for (Frame frame : frames) {
      shape = 31 * shape + frame.shape();
    }
    return shape;
  }

  /** Returns whether a register alone shows that {@code other} does not subsume this state. */
  public boolean isOutside(AbstractState other, Register register) {
    return register(register) instanceof Scalar current
        && other.register(register) instanceof Scalar old
        && !current.isWithin(old);
  }

  /**
   * Returns this state with less known of what differs in {@code other}.
   *
   * @param numbers what is made of two numbers that differ: one that contains both
   */
  public AbstractState merge(AbstractState other, BinaryOperator<Scalar> numbers) {
    if (frames.size() != other.frames.size()) {
      return this;
    }
    ImmutableList.Builder<Frame> merged = ImmutableList.builder();
    for (int i = 0; i < frames.size(); i++) {
      merged.add(frames.get(i).merge(other.frames.get(i), numbers));
    }
    return new AbstractState(merged.build(), references, lastId);
  }

  private boolean matchReferences(List<Integer> old, IdentityMatch ids) {
    // Most paths hold one record; registers have matched those that are still pointed to.
    List<Integer> current = references.keySet().asList();
    for (int i = 0; i < old.size(); i++) {
      if (!ids.match(old.get(i), current.get(i))) {
        return false;
      }
    }
    return true;
  }

  private AbstractState withoutReference(int reference) {
    ImmutableMap.Builder<Integer, Integer> kept = ImmutableMap.builder();
    references.forEach(
        (each, index) -> {
          if (each != reference) {
            kept.put(each, index);
          }
        });
    return new AbstractState(frames, kept.buildOrThrow(), lastId);
  }

  private AbstractState map(UnaryOperator<RegisterState> change) {
    ImmutableList.Builder<Frame> changed = ImmutableList.builder();
    for (Frame frame : frames) {
      changed.add(frame.map(change));
    }
    return new AbstractState(changed.build(), references, lastId);
  }

  private AbstractState withFrame(int index, Frame frame) {
    ImmutableList.Builder<Frame> changed = ImmutableList.builder();
    for (int i = 0; i < frames.size(); i++) {
      changed.add(i == index ? frame : frames.get(i));
    }
    return new AbstractState(changed.build(), references, lastId);
  }

  /**
   * Returns the registers and stack words of the running function that differ in {@code before}.
   */
  public String changesSince(AbstractState before) {
    return depth() == before.depth() ? frame().changesSince(before.frame()) : frame().toString();
  }

  /** Returns the registers and the stack of the running function that hold something. */
  @Override
  public String toString() {
    return frame().toString();
  }
}
