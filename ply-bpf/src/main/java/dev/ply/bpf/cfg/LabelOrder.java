package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The reachable labels of a program in reverse postorder.
 *
 * <p>Each label comes after its predecessors, except along back edges. Cold code at the end of a
 * program jumps backwards without being a loop, so address order will not do.
 */
final class LabelOrder {
  private static final int NONE = -1;

  private final ControlFlow flow;

  /** The indices of the labels in reverse postorder, from {@code first} on. */
  private final int[] order;

  private final int[] ranks;
  private int first;
  private boolean loops;

  /** Computes the order. */
  LabelOrder(ControlFlow flow) {
    this.flow = flow;
    this.order = new int[flow.labels()];
    this.ranks = new int[flow.size()];
    this.first = order.length;
    Arrays.fill(ranks, NONE);
    search();
  }

  /** Returns the rank of the reachable label at {@code index} of the program. */
  int rank(int index) {
    return ranks[index];
  }

  /** Returns the index in the program of the label of {@code rank}. */
  int index(int rank) {
    return order[rank];
  }

  /** Returns the rank of the first label. */
  int first() {
    return first;
  }

  /** Returns one more than the rank of the last label. */
  int end() {
    return order.length;
  }

  /** Returns whether the control flow has a back edge. */
  boolean hasLoops() {
    return loops;
  }

  /** Depth-first search; a label gets its rank once all its successors have theirs. */
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

  /** Returns the label that the instruction at {@code position} leads to, or {@link #NONE}. */
  private int next(int position, int start) {
    boolean isLabel = flow.at(position) instanceof Instruction.LabelMark && position != start;
    return isLabel ? position : flow.target(position);
  }

  /** Returns whether the block of the label at {@code start} ends at {@code position}. */
  private boolean isEnd(int position, int start) {
    return !flow.fallsThrough(position)
        || (flow.at(position) instanceof Instruction.LabelMark && position != start);
  }
}
