package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The labels of a program in an order in which each comes behind those that control may come from,
 * but for loops (reverse postorder). What is rarely done stands at a program's end and jumps back
 * from there, which is no loop.
 */
final class LabelOrder {
  private static final int NONE = -1;

  private final ControlFlow flow;

  /** The places of the labels that control reaches, in this order from {@code first} on. */
  private final int[] order;

  private final int[] ranks;
  private int first;
  private boolean loops;

  /** Finds the order. */
  LabelOrder(ControlFlow flow) {
    this.flow = flow;
    this.order = new int[flow.labels()];
    this.ranks = new int[flow.size()];
    this.first = order.length;
    Arrays.fill(ranks, NONE);
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

  /** Returns the rank of the first label that control reaches. */
  int first() {
    return first;
  }

  /** Returns the rank behind that of the last label. */
  int end() {
    return order.length;
  }

  /** Tells whether control can come to a label again. */
  boolean hasLoops() {
    return loops;
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
      int next = position < flow.size() ? next(position, starts[depth]) : NONE;
      positions[depth] =
          position < flow.size() && !isEnd(position, starts[depth]) ? position + 1 : flow.size();
      if (next != NONE && !seen.get(next)) {
        seen.set(next);
        depth++;
        starts[depth] = next;
        positions[depth] = next;
        continue;
      }
      loops |= next != NONE && ranks[next] == NONE;
      if (positions[depth] == flow.size()) {
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
    boolean isLabel = flow.at(position) instanceof Instruction.LabelMark && position != start;
    return isLabel ? position : flow.target(position);
  }

  /** Tells whether control does not go on behind an instruction, or into another label's part. */
  private boolean isEnd(int position, int start) {
    return !flow.goesOn(position)
        || (flow.at(position) instanceof Instruction.LabelMark && position != start);
  }
}
