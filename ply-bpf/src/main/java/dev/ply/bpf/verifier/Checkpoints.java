package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Register;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/** The states seen at joins: a path that brings nothing new to one need not be followed. */
final class Checkpoints {
  /** From how many states on a join outside loops tells ranges only, not numbers, apart. */
  private static final int PRECISE = 64;

  /** From how many states on a join outside loops gives up the ranges, too. */
  private static final int RANGES = 256;

  /** From how many states on a function that is called back gives up telling numbers apart. */
  private static final int CALLED_PRECISELY = 2;

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

  /** What is known of one join. */
  private static final class Join {
    /** Those still worth comparing, and how many there have been. */
    final List<Checkpoint> seen = new ArrayList<>();

    int made;

    /** The register that differed last: in loops mostly the one that counts. */
    Register suspect = Register.R0;
  }

  Checkpoints(Reachability flow) {
    this.flow = flow;
  }

  /** What came of a visit. */
  enum Outcome {
    /** The state is new. */
    NEW,
    /** All paths from here are known from a state at least as general. */
    KNOWN,
    /** The path has come back to a state it was in. */
    REPEATED
  }

  /** An outcome and, for new states, the checkpoint to continue from. */
  record Visit(Outcome outcome, Optional<Checkpoint> checkpoint) {}

  Visit visit(int index, AbstractState state, Optional<Checkpoint> parent) {
    Join join = joins.computeIfAbsent(index, i -> new Join());
    int shape = state.shape();
    for (int i = join.seen.size() - 1; i >= 0; i--) {
      Checkpoint old = join.seen.get(i);
      boolean mayBeKnown =
          !old.isOpen()
              || isCallback(index, state)
              || parent.filter(p -> p.hasCalledBackSince(old)).isPresent();
      Optional<Outcome> outcome =
          mayBeKnown ? known(join, state, old) : repeated(state, shape, old);
      if (outcome.isPresent()) {
        old.hit();
        return new Visit(outcome.get(), Optional.empty());
      }
      old.miss();
      if (old.isUseless()) {
        join.seen.remove(i);
      }
    }
    AbstractState kept = state;
    boolean isCallback = isCallback(index, state);
    int precisely = isCallback ? CALLED_PRECISELY : PRECISE;
    if (join.made >= precisely && !join.seen.isEmpty() && (isCallback || !flow.isInLoop(index))) {
      BinaryOperator<Scalar> numbers =
          isCallback || join.made >= RANGES ? Scalar::widen : Scalar::join;
      kept = state.merge(join.seen.get(join.seen.size() - 1).state(), numbers);
    }
    Checkpoint fresh = new Checkpoint(kept, parent, isCallback);
    join.seen.add(fresh);
    join.made++;
    return new Visit(Outcome.NEW, Optional.of(fresh));
  }

  private static Optional<Outcome> known(Join join, AbstractState state, Checkpoint old) {
    if (state.isOutside(old.state(), join.suspect)) {
      return Optional.empty();
    }
    if (state.isSubsumedBy(old.state())) {
      return Optional.of(Outcome.KNOWN);
    }
    join.suspect = suspectOf(state, old.state()).orElse(join.suspect);
    return Optional.empty();
  }

  private static Optional<Outcome> repeated(AbstractState state, int shape, Checkpoint old) {
    return shape == old.shape()
            && state.isSubsumedBy(old.state())
            && old.state().isSubsumedBy(state)
        ? Optional.of(Outcome.REPEATED)
        : Optional.empty();
  }

  /** Returns whether a helper calls a function here: as often as it likes, but not for ever. */
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
