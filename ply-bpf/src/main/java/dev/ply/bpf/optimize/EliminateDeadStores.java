package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.BackwardFlow;
import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.StackAccess;
import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Removes stores to the stack that are never read, overwritten first, or redundant. */
public final class EliminateDeadStores implements UnaryOperator<List<Instruction>> {
  private static final int STACK = 512;
  private static final BitSet WHOLE_STACK = new BitSet();

  static {
    WHOLE_STACK.set(0, STACK);
  }

  private final Analyses analyses;
  private final boolean namesArePadded;

  /**
   * Creates the pass.
   *
   * @param namesArePadded whether get_current_comm overwrites all 16 bytes
   */
  EliminateDeadStores(Analyses analyses, boolean namesArePadded) {
    this.analyses = analyses;
    this.namesArePadded = namesArePadded;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    ControlFlow flow = analyses.flow(code);
    ValueNumbering values = analyses.values(code);
    Uses uses = new Uses(values, code.size());
    values.visit(uses);
    BitSet dead = new BitSet();
    new BackwardFlow(flow, uses::before)
        .visit(
            (index, live) -> {
              if (flow.at(index) instanceof Instruction.Store && uses.isDead(index, live)) {
                dead.set(index);
              }
            });
    return dead.isEmpty() ? code : without(dead, code);
  }

  private static List<Instruction> without(BitSet dead, List<Instruction> code) {
    List<Instruction> kept = new ArrayList<>(code.size());
    for (int i = 0; i < code.size(); i++) {
      if (!dead.get(i)) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }

  /** The stack bytes that each instruction reads and definitely overwrites. */
  private final class Uses implements ValueNumbering.Visitor {
    private final ValueNumbering values;

    /** Null where an instruction does not read the stack. */
    private final @Nullable BitSet[] read;

    private final @Nullable BitSet[] written;
    private final BitSet redundant = new BitSet();

    Uses(ValueNumbering values, int size) {
      this.values = values;
      read = new BitSet[size];
      written = new BitSet[size];
      // Instructions not visited here may be reachable for a less precise verifier.
      Arrays.fill(read, WHOLE_STACK);
    }

    void before(int index, BitSet live) {
      BitSet overwritten = written[index];
      if (overwritten != null) {
        live.andNot(overwritten);
      }
      BitSet used = read[index];
      if (used != null) {
        live.or(used);
      }
    }

    boolean isDead(int index, BitSet live) {
      BitSet overwritten = written[index];
      return redundant.get(index) || (overwritten != null && !overwritten.intersects(live));
    }

    @Override
    public void visit(int index, Instruction instruction, ValueState before) {
      read[index] = null;
      if (instruction instanceof Instruction.Load load) {
        OptionalInt base = before.stackOffset(load.base());
        if (base.isPresent()) {
          read[index] = bytes(base.getAsInt() + load.offset(), load.size().bytes());
        } else {
          readAnything(index, before.isOffStack(load.base()));
        }
      } else if (instruction instanceof Instruction.Store store) {
        OptionalInt base = before.stackOffset(store.base());
        if (values.isRedundant(store, before)) {
          // The earlier store stays live.
          redundant.set(index);
        } else if (base.isPresent()) {
          written[index] = bytes(base.getAsInt() + store.offset(), store.size().bytes());
        }
      } else if (instruction instanceof Instruction.Atomic atomic) {
        readAnything(index, before.isOffStack(atomic.base()));
      } else if (instruction instanceof Instruction.CallHelper call) {
        StackAccess access = values.access(call, before);
        readAnything(index, access.isKnown());
        if (access.isKnown() && !access.reads().isEmpty()) {
          read[index] = bytes(access.reads());
        }
        if (call.number() == Helper.GET_CURRENT_COMM.number() && !namesArePadded) {
          // The bytes after the NUL stay, and copies of the name are assumed to have zeroes there.
          read[index] = bytes(access.writes());
        }
        if (overwrites(call) && !access.writes().isEmpty()) {
          written[index] = bytes(access.writes());
        }
      } else if (instruction instanceof Instruction.CallLocal
          || instruction instanceof Instruction.CallKernel) {
        readAnything(index, false);
      }
    }

    private void readAnything(int index, boolean isKnown) {
      if (!isKnown) {
        read[index] = WHOLE_STACK;
      }
    }

    /** Returns whether the helper overwrites its whole destination, even when it fails. */
    private boolean overwrites(Instruction.CallHelper call) {
      int number = call.number();
      return number == Helper.PROBE_READ_USER.number()
          || number == Helper.PROBE_READ_KERNEL.number()
          || (namesArePadded && number == Helper.GET_CURRENT_COMM.number());
    }

    private static BitSet bytes(List<StackAccess.Range> ranges) {
      BitSet bytes = new BitSet();
      for (StackAccess.Range range : ranges) {
        bytes.or(bytes(range.offset(), range.size()));
      }
      return bytes;
    }

    private static BitSet bytes(int offset, int size) {
      BitSet bytes = new BitSet();
      int start = Math.max(0, STACK + offset);
      bytes.set(start, Math.min(STACK, Math.max(start, STACK + offset + size)));
      return bytes;
    }
  }
}
