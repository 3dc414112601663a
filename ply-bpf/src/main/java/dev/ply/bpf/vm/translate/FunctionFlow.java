package dev.ply.bpf.vm.translate;

import dev.ply.bpf.vm.interpret.Step;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The blocks that a function reaches without calls, and what is initialised at the start of each on
 * every path to it.
 */
final class FunctionFlow {
  private final Step[] steps;
  private final BasicBlocks blocks;
  private final NavigableMap<Integer, Initialised> entries = new TreeMap<>();
  private int tracked;

  /** Analyses the function that starts at a step, of which only r10 is known to be initialised. */
  FunctionFlow(Step[] steps, BasicBlocks blocks, int start) {
    this.steps = steps;
    this.blocks = blocks;
    Deque<Integer> changed = new ArrayDeque<>();
    merge(start, new Initialised(), changed);
    while (!changed.isEmpty()) {
      int block = changed.remove();
      follow(block, Objects.requireNonNull(entries.get(block)).copy(), changed);
    }
    entries.forEach(this::findTracked);
  }

  /** Returns what is initialised at the start of each block, by the block's first step. */
  NavigableMap<Integer, Initialised> entries() {
    return entries;
  }

  /**
   * Returns the bit set of registers that a step uses without being initialised on every path: what
   * they are has to be known at run time.
   */
  int tracked() {
    return tracked;
  }

  private void follow(int start, Initialised state, Deque<Integer> changed) {
    int end = blocks.endOf(start);
    for (int i = start; i < end; i++) {
      state.execute(steps[i]);
    }
    Step last = steps[end - 1];
    if (last.kind().isConditional() || last.kind() == Step.Kind.GOTO) {
      merge(last.target(), state, changed);
    }
    if (last.kind().continues()) {
      merge(end, state, changed);
    }
  }

  private void merge(int start, Initialised state, Deque<Integer> changed) {
    Initialised known = entries.get(start);
    if (known == null) {
      entries.put(start, state.copy());
      changed.add(start);
    } else if (known.intersect(state)) {
      changed.add(start);
    }
  }

  private void findTracked(int start, Initialised entry) {
    Initialised state = entry.copy();
    for (int i = start; i < blocks.endOf(start); i++) {
      tracked |= state.missing(steps[i]);
      state.execute(steps[i]);
    }
  }
}
