package dev.ply.bpf.verifier;

import dev.ply.bpf.object.BpfProgram;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The verifier's state after each instruction, as short comments for a listing.
 *
 * <p>Example: {@code r0=number(0..63)}. For all paths see {@link Verifier#verify(BpfProgram,
 * java.util.function.Consumer)}.
 */
public final class StateNotes {
  private final Map<Integer, TraceStep> first = new HashMap<>();
  private final Map<Integer, Integer> paths = new HashMap<>();

  private StateNotes() {}

  /**
   * Verifies a program and keeps the changes on the first path through each instruction.
   *
   * @param verifier with the maps of the program
   * @param program to verify
   * @return the changes by instruction
   */
  public static StateNotes of(Verifier verifier, BpfProgram program) {
    StateNotes notes = new StateNotes();
    verifier.verify(program, notes::add);
    return notes;
  }

  private void add(TraceStep step) {
    if (step.outcome() != TraceStep.Outcome.PRUNED
        && step.outcome() != TraceStep.Outcome.INFINITE_LOOP) {
      first.putIfAbsent(step.index(), step);
      paths.merge(step.index(), 1, Integer::sum);
    }
  }

  /**
   * Returns the changes by an instruction on the first path, with the number of further paths.
   *
   * @param index of the instruction; pseudo-instructions count
   * @return empty if the instruction changes nothing or is unreachable
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
