package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Register;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.flow.Reachability;
import dev.ply.bpf.verifier.memory.StackSlots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/** The states recorded at joins, to prune paths whose state is subsumed by an explored one. */
final class Checkpoints {
  /** Number of states from which a join outside loops joins scalars into ranges. */
  private static final int PRECISE = 64;

  /** Number of states from which a join outside loops widens scalars. */
  private static final int RANGES = 256;

  /** Number of states from which the entry of a callback and its return widen scalars. */
  private static final int CALLBACK_PRECISE = 2;

  private static final List<Register> REGISTERS =
      List.of(
          Register.R0,
          Register.R1,
          Register.R2,
          Register.R3,
          Register.R4,
          Register.R5,
          Register.R6,
          Register.R7,
          Register.R8,
          Register.R9);

  private final Reachability flow;
  private final Map<Integer, Join> joins = new HashMap<>();

  /** The checkpoints of one join. */
  private static final class Join {
    /** The checkpoints still worth comparing with. */
    final List<Checkpoint> seen = new ArrayList<>();

    /** The number of checkpoints created. */
    int created;

    /** The register that last made a comparison fail, to be compared first. */
    Register suspect = Register.R0;
  }

  Checkpoints(Reachability flow) {
    this.flow = flow;
  }

  /** The result of a visit. */
  enum Outcome {
    /** The state is new. */
    NEW,
    /** All paths from here are covered by an explored state. */
    PRUNED,
    /** The current path has returned to an identical state. */
    INFINITE_LOOP
  }

  /** The result of a visit and the checkpoint: a new one, or that with the explored state. */
  record Visit(Outcome outcome, Checkpoint checkpoint) {}

  /**
   * Visits a join.
   *
   * @param overwritten the slots that were filled since the parent
   */
  Visit visit(int index, AbstractState state, Optional<Checkpoint> parent, StackSlots overwritten) {
    Join join = joins.computeIfAbsent(index, i -> new Join());
    int shape = state.shape();
    for (int i = join.seen.size() - 1; i >= 0; i--) {
      Checkpoint old = join.seen.get(i);
      boolean mayPrune =
          !old.isOpen()
              || isCallback(index, state)
              || parent.filter(p -> p.hasCalledBackSince(old)).isPresent();
      Optional<Outcome> outcome =
          mayPrune ? pruned(join, state, old) : infiniteLoop(state, shape, old);
      if (outcome.isPresent()) {
        old.hit();
        return new Visit(outcome.get(), old);
      }
      old.miss();
      if (old.isUseless()) {
        join.seen.remove(i);
      }
    }
    AbstractState kept = state;
    boolean isCallback = isCallback(index, state);
    // The paths that lead here differ in how often the callback has run.
    boolean isRepeated = isCallback || flow.isCalled(index);
    int precise = isRepeated ? CALLBACK_PRECISE : PRECISE;
    if (join.created >= precise && !join.seen.isEmpty() && (isCallback || !flow.isInLoop(index))) {
      BinaryOperator<Scalar> numbers =
          isRepeated || join.created >= RANGES ? (now, before) -> before.widen(now) : Scalar::join;
      kept = state.merge(join.seen.get(join.seen.size() - 1).state(), numbers);
    }
    Checkpoint fresh = new Checkpoint(kept, parent, overwritten, isCallback);
    join.seen.add(fresh);
    join.created++;
    return new Visit(Outcome.NEW, fresh);
  }

  private static Optional<Outcome> pruned(Join join, AbstractState state, Checkpoint old) {
    if (state.isOutside(old.state(), join.suspect)) {
      return Optional.empty();
    }
    if (state.isSubsumedBy(old.state(), old::slotsRead)) {
      return Optional.of(Outcome.PRUNED);
    }
    join.suspect = suspectOf(state, old.state()).orElse(join.suspect);
    return Optional.empty();
  }

  private static Optional<Outcome> infiniteLoop(AbstractState state, int shape, Checkpoint old) {
    return shape == old.shape()
            && state.isSubsumedBy(old.state())
            && old.state().isSubsumedBy(state)
        ? Optional.of(Outcome.INFINITE_LOOP)
        : Optional.empty();
  }

  /** Returns whether this is the entry of a callback, which may run any finite number of times. */
  private static boolean isCallback(int index, AbstractState state) {
    return state.frame().isCallback() && state.frame().function() == index;
  }

  private static Optional<Register> suspectOf(AbstractState state, AbstractState old) {
    for (Register register : REGISTERS) {
      if (state.isOutside(old, register)) {
        return Optional.of(register);
      }
    }
    return Optional.empty();
  }
}
