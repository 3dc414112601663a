package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Register;
import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The states seen at joins: a path that brings nothing new to one need not be followed. */
final class Checkpoints {
  /** How many of the latest states of a join are compared. */
  private static final int COMPARED = 256;

  /** From how many states on a join outside loops gives up telling numbers apart. */
  private static final int PRECISE = 64;

  /** From how many states on a function that is called back gives up telling numbers apart. */
  private static final int CALLED_PRECISELY = 2;

  private static final List<Register> NUMBERS =
      IntStream.range(0, 10).mapToObj(Register::new).toList();

  private final ControlFlow flow;
  private final Map<Integer, List<Checkpoint>> byIndex = new HashMap<>();
  private final Map<Integer, Boolean> inLoop = new HashMap<>();

  /** Of each join the register that differed last: in loops mostly the one that counts. */
  private final Map<Integer, Register> suspects = new HashMap<>();

  Checkpoints(ControlFlow flow) {
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
    List<Checkpoint> seen = byIndex.computeIfAbsent(index, i -> new ArrayList<>());
    Register suspect = suspects.getOrDefault(index, Register.R0);
    for (int i = seen.size() - 1; i >= Math.max(0, seen.size() - COMPARED); i--) {
      Checkpoint old = seen.get(i);
      if (state.isOutside(old.state(), suspect)) {
        continue;
      }
      if (!state.isSubsumedBy(old.state())) {
        suspect = suspectOf(state, old.state()).orElse(suspect);
      } else {
        if (!old.isOpen()
            || isCallback(index, state)
            || parent.filter(p -> p.hasCalledBackSince(old)).isPresent()) {
          return new Visit(Outcome.KNOWN, Optional.empty());
        } else if (old.state().isSubsumedBy(state)) {
          return new Visit(Outcome.REPEATED, Optional.empty());
        }
      }
    }
    suspects.put(index, suspect);
    AbstractState kept = state;
    if (isCallback(index, state) && seen.size() >= CALLED_PRECISELY) {
      kept = state.widen(seen.get(seen.size() - 1).state());
    } else if (seen.size() >= PRECISE && !inLoop.computeIfAbsent(index, flow::isInLoop)) {
      kept = state.widen(seen.get(seen.size() - 1).state());
    }
    Checkpoint fresh = new Checkpoint(kept, parent, isCallback(index, state));
    seen.add(fresh);
    return new Visit(Outcome.NEW, Optional.of(fresh));
  }

  /** Tells whether a helper calls a function here: as often as it likes, but not for ever. */
  private static boolean isCallback(int index, AbstractState state) {
    return state.frame().isCallback() && state.frame().function() == index;
  }

  private static Optional<Register> suspectOf(AbstractState state, AbstractState old) {
    return NUMBERS.stream().filter(register -> state.isOutside(old, register)).findFirst();
  }
}
