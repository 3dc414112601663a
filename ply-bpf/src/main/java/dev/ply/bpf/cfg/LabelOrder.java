package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The labels of a program in an order in which each comes behind those that control may come from,
 * but for loops (reverse postorder). What is rarely done stands at a program's end and jumps back
 * from there, which is no loop.
 */
final class LabelOrder {
  private static final int NONE = -1;

  private final List<Instruction> code;
  private final ToIntFunction<Label> places;

  /** The places of the labels, in this order from {@code first} on. */
  private final int[] order;

  private final int[] ranks;
  private int first;

  /**
   * Finds the order.
   *
   * @param count how many labels there are
   * @param places where each label is in the code
   */
  LabelOrder(List<Instruction> code, int count, ToIntFunction<Label> places) {
    this.code = code;
    this.places = places;
    this.order = new int[count];
    this.ranks = new int[code.size()];
    this.first = order.length;
    search();
  }

  /** Returns which label of the order stands at a place that control reaches. */
  int rank(int place) {
    return ranks[place];
  }

  /** Returns where the label of that rank is. */
  int place(int rank) {
    return order[rank];
  }

  /** Goes as deep as it gets, and notes each label when all behind it have been. */
  private void search() {
    BitSet seen = new BitSet();
    int[] starts = new int[order.length + 1];
    int[] positions = new int[order.length + 1];
    int depth = 0;
    starts[0] = NONE;
    while (depth >= 0) {
      int position = positions[depth];
      int next = position < code.size() ? next(position, starts[depth]) : NONE;
      positions[depth] =
          position < code.size() && !isEnd(position, starts[depth]) ? position + 1 : code.size();
      if (next != NONE && !seen.get(next)) {
        seen.set(next);
        depth++;
        starts[depth] = next;
        positions[depth] = next;
      } else if (positions[depth] == code.size()) {
        if (starts[depth] != NONE) {
          order[--first] = starts[depth];
          ranks[starts[depth]] = first;
        }
        depth--;
      }
    }
  }

  /** Returns the label that an instruction leads to, if it does. */
  private int next(int position, int start) {
    Instruction instruction = code.get(position);
    if (instruction instanceof Instruction.Goto jump) {
      return places.applyAsInt(jump.target());
    }
    if (instruction instanceof Instruction.Jump branch) {
      return places.applyAsInt(branch.target());
    }
    return instruction instanceof Instruction.LabelMark && position != start ? position : NONE;
  }

  /** Tells whether control does not go on behind an instruction, or into another label's part. */
  private boolean isEnd(int position, int start) {
    Instruction instruction = code.get(position);
    return instruction instanceof Instruction.Goto
        || instruction instanceof Instruction.Exit
        || (instruction instanceof Instruction.LabelMark && position != start);
  }
}
