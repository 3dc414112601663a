package dev.ply.bpf.verifier.domain;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.isa.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The abstract state at one point of one path: call frames and acquired references. Immutable.
 *
 * @param frames from the program's to the current function's
 * @param references the IDs of unreleased records in order of reservation, each with the index of
 *     the reserving instruction
 * @param lastId the last ID assigned on this path
 */
public record AbstractState(
    ImmutableList<Frame> frames, ImmutableMap<Integer, Integer> references, int lastId) {

  /** Returns the state at program entry. */
  public static AbstractState atEntry(RegisterState context) {
    Frame frame = Frame.enter(0, -1, 0).with(Register.R1, context);
    return new AbstractState(ImmutableList.of(frame), ImmutableMap.of(), 0);
  }

  /** Returns the current frame. */
  public Frame frame() {
    return frames.get(frames.size() - 1);
  }

  /** Returns the number of frames, at least one. */
  public int depth() {
    return frames.size();
  }

  /** Returns the state of a register in the current frame. */
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

  /**
   * Returns the state at the entry of a global function, of whose caller nothing is known.
   *
   * @param function the index of its entry
   */
  public static AbstractState atEntryOf(int function) {
    return new AbstractState(ImmutableList.of(Frame.enter(0, -1, function)), ImmutableMap.of(), 0);
  }

  /** Returns the state at the entry of a called function, with arguments in r1 to r5. */
  public AbstractState call(int function, int returnIndex) {
    Frame entered = Frame.enter(frames.size(), returnIndex, function);
    for (int i = 1; i <= 5; i++) {
      entered = entered.with(Register.argument(i), register(Register.argument(i)));
    }
    return new AbstractState(
        ImmutableList.<Frame>builder().addAll(frames).add(entered).build(), references, lastId);
  }

  /**
   * Returns the state at the entry of a callback.
   *
   * @param call the index of the helper call
   * @param arguments r1 and up
   */
  public AbstractState callBack(int function, int call, List<RegisterState> arguments) {
    Frame entered = Frame.enterCallback(frames.size(), call, function, references.size());
    for (int i = 0; i < arguments.size(); i++) {
      entered = entered.with(Register.argument(i + 1), arguments.get(i));
    }
    return new AbstractState(
        ImmutableList.<Frame>builder().addAll(frames).add(entered).build(), references, lastId);
  }

  /** Returns the state of the helper call after its callback returned, before its own effect. */
  public AbstractState leaveCallback() {
    // Records that the callback leaked have been reported, and must not accumulate.
    ImmutableMap<Integer, Integer> held =
        references.entrySet().stream()
            .limit(frame().heldAtEntry())
            .collect(ImmutableMap.toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
    return new AbstractState(frames.subList(0, frames.size() - 1), held, lastId);
  }

  /** Returns the state after the current function, not the program, returned. */
  public AbstractState leave() {
    RegisterState result = register(Register.R0);
    AbstractState caller =
        new AbstractState(frames.subList(0, frames.size() - 1), references, lastId);
    return caller.withClobberedArguments().with(Register.R0, result);
  }

  /** Returns the state with r1 to r5 clobbered by a call. */
  public AbstractState withClobberedArguments() {
    Frame frame = frame();
    for (int i = 1; i <= 5; i++) {
      frame =
          frame.with(
              Register.argument(i), new RegisterState.Uninitialized(RegisterState.Cause.CLOBBERED));
    }
    return withFrame(frames.size() - 1, frame);
  }

  /** Returns the state with a new {@link #lastId}. */
  public AbstractState withFreshId() {
    return new AbstractState(frames, references, lastId + 1);
  }

  /** Returns the state with a reference that the instruction at {@code index} acquired. */
  public AbstractState withReference(int reference, int index) {
    return new AbstractState(
        frames,
        ImmutableMap.<Integer, Integer>builder()
            .putAll(references)
            .put(reference, index)
            .buildOrThrow(),
        lastId);
  }

  /** Returns the state with a reference released and all pointers to it invalidated. */
  public AbstractState release(int reference) {
    return withoutReference(reference)
        .map(
            content ->
                content instanceof RegisterState.Pointer pointer
                        && pointer.region() instanceof Region.RingRecord record
                        && record.reference() == reference
                    ? new RegisterState.Uninitialized(RegisterState.Cause.RELEASED)
                    : content);
  }

  /** Returns the state where all copies of a nullable pointer are null. */
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

  /** Returns the state where all copies of a nullable pointer are non-null. */
  public AbstractState withNotNull(int nullId) {
    return map(
        content ->
            content instanceof RegisterState.Pointer pointer && pointer.nullId() == nullId
                ? new RegisterState.Pointer(
                    pointer.region(), pointer.offset(), pointer.variable(), 0)
                : content);
  }

  /** Returns the state with a scalar and all registers of equal ID refined to {@code refined}. */
  public AbstractState withNumber(Register register, Scalar refined) {
    if (refined.id() == 0) {
      return with(register, refined);
    }
    return map(
        content ->
            content instanceof Scalar scalar && scalar.id() == refined.id() ? refined : content);
  }

  /**
   * Returns the state without dead registers, and without scalar IDs that only one register has.
   *
   * @param isLive whether a register is live in the frame of that depth
   */
  public AbstractState withoutDead(BiFunction<Integer, Register, Boolean> isLive) {
    ImmutableList.Builder<Frame> kept = ImmutableList.builder();
    for (int depth = 0; depth < frames.size(); depth++) {
      int at = depth;
      kept.add(frames.get(depth).withoutDead(register -> isLive.apply(at, register)));
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

  /** Returns whether {@code other} subsumes this state: safety from there implies it from here. */
  public boolean isSubsumedBy(AbstractState other) {
    return isSubsumedBy(other, frame -> -1);
  }

  /**
   * Returns whether {@code other} subsumes this state for paths that read some slots of the stacks
   * only.
   *
   * @param slots by frame, the lowest bit for the slot farthest from the frame pointer
   */
  public boolean isSubsumedBy(AbstractState other, IntToLongFunction slots) {
    if (frames.size() != other.frames.size() || references.size() != other.references.size()) {
      return false;
    }
    IdentityMatch ids = new IdentityMatch();
    for (int i = 0; i < frames.size(); i++) {
      if (!frames.get(i).isSubsumedBy(other.frames.get(i), slots.applyAsLong(i), ids)) {
        return false;
      }
    }
    return matchReferences(other.references.keySet().asList(), ids);
  }

  /** Returns a hash that is equal for states that subsume each other. */
  public int shape() {
    int shape = references.size();
    for (Frame frame : frames) {
      shape = 31 * shape + frame.shape();
    }
    return shape;
  }

  /** Returns whether this register alone rules out that {@code other} subsumes this state. */
  public boolean isOutside(AbstractState other, Register register) {
    return register(register) instanceof Scalar current
        && other.register(register) instanceof Scalar old
        && !current.isWithin(old);
  }

  /**
   * Returns a state that subsumes this one, generalised where {@code other} differs.
   *
   * @param numbers joins or widens two different scalars
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
    // Most paths hold one record; references held by registers have been matched before.
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

  /** Returns the registers and stack slots of the current frame that differ in {@code before}. */
  public String changesSince(AbstractState before) {
    return depth() == before.depth() ? frame().changesSince(before.frame()) : frame().toString();
  }

  /** Returns the initialised registers and stack slots of the current frame. */
  @Override
  public String toString() {
    return frame().toString();
  }
}
