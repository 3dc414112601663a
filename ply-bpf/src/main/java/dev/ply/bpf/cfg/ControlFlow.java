package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where control goes after each instruction of a program. */
public final class ControlFlow {
  private static final int[] NOWHERE = {};

  private final int[][] successors;

  private ControlFlow(int[][] successors) {
    this.successors = successors;
  }

  /**
   * Returns the control flow of a program.
   *
   * @throws IllegalArgumentException if a jump names a label that is not there
   */
  public static ControlFlow of(List<Instruction> code) {
    Map<Label, Integer> places = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Instruction.LabelMark mark) {
        places.put(mark.label(), i);
      }
    }
    int[][] successors = new int[code.size()][];
    for (int i = 0; i < code.size(); i++) {
      successors[i] = successors(code, i, places);
    }
    return new ControlFlow(successors);
  }

  private static int[] successors(List<Instruction> code, int index, Map<Label, Integer> places) {
    Instruction instruction = code.get(index);
    int[] next = index + 1 < code.size() ? new int[] {index + 1} : NOWHERE;
    if (instruction instanceof Instruction.Exit) {
      return NOWHERE;
    }
    if (instruction instanceof Instruction.Goto jump) {
      return new int[] {place(jump.target(), places)};
    }
    if (instruction instanceof Instruction.Jump jump) {
      int target = place(jump.target(), places);
      return next.length == 0 ? new int[] {target} : new int[] {next[0], target};
    }
    return next;
  }

  private static int place(Label label, Map<Label, Integer> places) {
    Integer place = places.get(label);
    if (place == null) {
      throw new IllegalArgumentException("a jump goes to " + label + ", which is nowhere");
    }
    return place;
  }

  /**
   * Returns the indices of the instructions that may follow the one at {@code index}; the array
   * must not be changed.
   */
  public int[] successors(int index) {
    return successors[index];
  }

  /** Returns the instructions that control can reach from the first one. */
  public BitSet reachable() {
    BitSet reached = new BitSet(successors.length);
    int[] pending = new int[successors.length + 1];
    int count = 0;
    if (successors.length > 0) {
      reached.set(0);
      pending[count++] = 0;
    }
    while (count > 0) {
      for (int next : successors[pending[--count]]) {
        if (!reached.get(next)) {
          reached.set(next);
          pending[count++] = next;
        }
      }
    }
    return reached;
  }
}
