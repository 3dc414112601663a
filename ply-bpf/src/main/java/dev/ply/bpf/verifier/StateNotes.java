package dev.ply.bpf.verifier;

import dev.ply.bpf.object.BpfProgram;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the verifier finds out at each instruction, in a few words to stand beside it: {@code
 * r0=number (0..63)}. For whole traces see {@link Verifier#verify(BpfProgram,
 * java.util.function.Consumer)}.
 */
public final class StateNotes {
  private final Map<Integer, TraceStep> first = new HashMap<>();
  private final Map<Integer, Integer> paths = new HashMap<>();

  private StateNotes() {}

  /** Follows the program's paths and keeps what the first one to each instruction tells. */
  public static StateNotes of(Verifier verifier, BpfProgram program) {
    StateNotes notes = new StateNotes();
    verifier.verify(program, notes::add);
    return notes;
  }

  private void add(TraceStep step) {
    if (step.outcome() != TraceStep.Outcome.IS_KNOWN
        && step.outcome() != TraceStep.Outcome.REPEATS) {
      first.putIfAbsent(step.index(), step);
      paths.merge(step.index(), 1, Integer::sum);
    }
  }

  /**
   * Returns what the instruction changes on the first path that comes to it, and how many more do;
   * nothing for instructions that change nothing or are never reached.
   */
  public Optional<String> at(int index) {
    TraceStep step = first.get(index);
    if (step == null || step.changes().isEmpty()) {
      return Optional.empty();
    }
    int others = paths.getOrDefault(index, 1) - 1;
    return Optional.of(
        step.changes()
            + (others == 0
                ? ""
                : " (and " + others + (others == 1 ? " more path)" : " more paths)")));
  }
}
