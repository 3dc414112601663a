package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.StackAccess;
import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.cfg.Values;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Leaves out stores to the stack of what nobody reads, because nobody does or because it is
 * overwritten first, and stores of what stands there already.
 */
public final class EliminateDeadStores implements UnaryOperator<List<Instruction>> {
  private static final int STACK = 512;

  private final Analyses analyses;
  private final boolean namesArePadded;

  /**
   * A pass that asks these.
   *
   * @param namesArePadded whether the kernel fills a thread's name up with NULs, so that what stood
   *     there before is gone
   */
  EliminateDeadStores(Analyses analyses, boolean namesArePadded) {
    this.analyses = analyses;
    this.namesArePadded = namesArePadded;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    Values values = analyses.values(code);
    Uses uses = new Uses(values, code.size());
    values.visit(uses);
    BitSet[] live = live(code, uses);
    List<Instruction> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      BitSet written = uses.written[i];
      boolean dead =
          code.get(i) instanceof Instruction.Store
              && (uses.idle.get(i) || (!written.isEmpty() && !written.intersects(live[i])));
      if (!dead) {
        kept.add(code.get(i));
      }
    }
    return List.copyOf(kept);
  }

  /** Returns for each instruction the bytes of the stack that are read after it. */
  private static BitSet[] live(List<Instruction> code, Uses uses) {
    ControlFlow flow = ControlFlow.of(code);
    BitSet[] before = new BitSet[code.size()];
    BitSet[] after = new BitSet[code.size()];
    for (int i = 0; i < code.size(); i++) {
      before[i] = new BitSet(STACK);
      after[i] = new BitSet(STACK);
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = code.size() - 1; i >= 0; i--) {
        for (int next : flow.successors(i)) {
          after[i].or(before[next]);
        }
        BitSet live = (BitSet) after[i].clone();
        live.andNot(uses.written[i]);
        live.or(uses.read[i]);
        if (!live.equals(before[i])) {
          before[i] = live;
          changed = true;
        }
      }
    }
    return after;
  }

  /** What each instruction reads and surely overwrites of the stack. */
  private final class Uses implements Values.Visitor {
    private final Values values;
    private final BitSet[] read;
    private final BitSet[] written;
    private final BitSet idle = new BitSet();

    Uses(Values values, int size) {
      this.values = values;
      read = new BitSet[size];
      written = new BitSet[size];
      for (int i = 0; i < size; i++) {
        // What is never seen here may still be there for a verifier, that knows less.
        read[i] = new BitSet(STACK);
        read[i].set(0, STACK);
        written[i] = new BitSet(STACK);
      }
    }

    @Override
    public void see(int index, Instruction instruction, ValueState before) {
      read[index].clear();
      if (instruction instanceof Instruction.Load load) {
        Values.range(load.base(), load.offset(), load.size(), before)
            .ifPresentOrElse(
                range -> set(read[index], range),
                () -> readAnything(index, before.isOffStack(load.base())));
      } else if (instruction instanceof Instruction.Store store) {
        idle.set(index, values.isIdle(store, before));
        // What stands there already is needed in its stead.
        Values.range(store.base(), store.offset(), store.size(), before)
            .filter(range -> !idle.get(index))
            .ifPresent(range -> set(written[index], range));
      } else if (instruction instanceof Instruction.Atomic atomic) {
        readAnything(index, before.isOffStack(atomic.base()));
      } else if (instruction instanceof Instruction.CallHelper call) {
        StackAccess access = values.access(call, before);
        readAnything(index, access.isKnown());
        access.reads().forEach(range -> set(read[index], range));
        if (overwrites(call)) {
          access.writes().forEach(range -> set(written[index], range));
        }
      } else if (instruction instanceof Instruction.CallLocal
          || instruction instanceof Instruction.CallKernel) {
        readAnything(index, false);
      }
    }

    private void readAnything(int index, boolean isKnown) {
      if (!isKnown) {
        read[index].set(0, STACK);
      }
    }

    /** Tells whether the helper writes all of the memory that it is given, whatever happens. */
    private boolean overwrites(Instruction.CallHelper call) {
      int number = call.number();
      return number == Helper.PROBE_READ_USER.number()
          || number == Helper.PROBE_READ_KERNEL.number()
          || (namesArePadded && number == Helper.GET_CURRENT_COMM.number());
    }

    private static void set(BitSet bytes, StackAccess.Range range) {
      int start = Math.max(0, STACK + range.offset());
      bytes.set(start, Math.min(STACK, Math.max(start, STACK + range.offset() + range.size())));
    }
  }
}
