package dev.ply.bpf.vm.translate;

import dev.ply.bpf.vm.interpret.Step;
import java.util.Arrays;
import java.util.BitSet;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The basic blocks of a program, as ranges of steps. Calls end a block, so that what they execute
 * can be counted between two blocks.
 */
final class BasicBlocks {
  private final int[] ends;
  private final NavigableSet<Integer> functions = new TreeSet<>();

  BasicBlocks(Step[] steps) {
    BitSet starts = new BitSet(steps.length);
    functions.add(0);
    for (int i = 0; i < steps.length; i++) {
      Step step = steps[i];
      boolean jumps = step.kind().isConditional() || step.kind() == Step.Kind.GOTO;
      boolean calls = step.kind() == Step.Kind.CALL_HELPER || step.kind() == Step.Kind.CALL_LOCAL;
      if (jumps) {
        starts.set(step.target());
      } else if (step.kind() == Step.Kind.CALL_LOCAL || step.loadsFunction()) {
        starts.set(step.target());
        functions.add(step.target());
      }
      if (jumps || calls || !step.kind().continues()) {
        starts.set(i + 1);
      }
    }
    ends = new int[steps.length];
    for (int start = 0; start < steps.length; ) {
      int next = starts.nextSetBit(start + 1);
      Arrays.fill(ends, start, next, next);
      start = next;
    }
  }

  /** Returns the first steps of the program and of the functions that it calls or refers to. */
  NavigableSet<Integer> functions() {
    return functions;
  }

  /** Returns the index after the last step of the block that contains a step. */
  int endOf(int step) {
    return ends[step];
  }
}
