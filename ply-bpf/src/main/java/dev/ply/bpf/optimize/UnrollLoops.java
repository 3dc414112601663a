package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Loop unrolling: copies the body of a short loop once for each of its iterations, if their number
 * is known. Later passes then know the loop's counter in each copy.
 *
 * <p>The number of iterations is found by trial: the loop is copied as often as may be, and value
 * numbering tells after which copy it ends. The last copy still jumps back, which it never does, so
 * that the result is right whatever is known; {@link ThreadJumps} removes the jump.
 *
 * <p>Loops with calls stay: a call costs more than what would be saved.
 */
final class UnrollLoops implements UnaryOperator<List<Instruction>> {
  /** Maximum number of slots of all copies of a loop, before other passes make them shorter. */
  private static final int MOST_SLOTS = 192;

  /** Maximum number of instructions of a program that is still unrolled. */
  private static final int LONGEST = 3000;

  private final Analyses analyses;

  /** Creates the pass. */
  UnrollLoops(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    List<Instruction> current = code;
    int from = 0;
    Optional<Loop> next = nextLoop(current, from);
    while (next.isPresent() && current.size() <= LONGEST) {
      Loop loop = next.get();
      int copies = copiesOf(loop, current);
      if (copies > 1) {
        current = loop.unrolled(current, copies);
      }
      from = loop.head() + (copies > 1 ? copies * loop.copySize() : loop.size());
      next = nextLoop(current, from);
    }
    return current;
  }

  /** Returns how many copies run at most, 0 if they do not end within what is allowed. */
  private int copiesOf(Loop loop, List<Instruction> code) {
    int most = MOST_SLOTS / loop.slots(code);
    if (most < 2 || loop.calls(code)) {
      return 0;
    }
    List<Instruction> trial = loop.unrolled(code, most);
    BitSet repeating = new BitSet();
    analyses.feasibleValues(trial).visit(new Repetitions(loop, most, repeating));
    int copies = repeating.nextClearBit(0) + 1;
    return copies > most ? 0 : copies;
  }

  /** Collects the copies of a loop that another iteration may follow. */
  private record Repetitions(Loop loop, int copies, BitSet found)
      implements ValueNumbering.Visitor {
    @Override
    public void visit(int index, Instruction instruction, ValueState before) {
      // Only jumps count.
    }

    @Override
    public void jump(int index, Label label, ValueState state) {
      int copy = (index - loop.head()) / loop.copySize();
      int offset = (index - loop.head()) % loop.copySize();
      if (offset >= 0 && copy < copies && loop.jumpsBack().get(offset)) {
        found.set(copy);
      }
    }
  }

  /** Returns the first innermost loop that begins at {@code from} or later. */
  private Optional<Loop> nextLoop(List<Instruction> code, int from) {
    ControlFlow flow = analyses.flow(code);
    for (int end = from; end < code.size(); end++) {
      int head = flow.target(end);
      if (head != ControlFlow.NO_TARGET && head >= from && head < end) {
        Optional<Loop> loop = Loop.at(head, flow);
        if (loop.isPresent()) {
          return loop;
        }
      }
    }
    return Optional.empty();
  }
}
