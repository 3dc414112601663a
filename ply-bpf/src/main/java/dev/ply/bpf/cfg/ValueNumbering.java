package dev.ply.bpf.cfg;

import static java.util.Objects.requireNonNull;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Global value numbering: which registers and stack bytes hold equal values at each point.
 *
 * <p>A value loaded from memory outside the stack counts as unchanged until the program itself
 * writes such memory, although the kernel and other CPUs may change it.
 */
public final class ValueNumbering {
  /** The predecessor of the first instruction, which may be a label. */
  private static final int START = -1;

  private final ControlFlow flow;
  private final LabelOrder order;

  /** The state at each label, by its index; null at labels not reached. */
  private final @Nullable ValueState[] atLabel;

  /** The labels whose state has changed since their block was followed, by rank. */
  private final BitSet unsettled = new BitSet();

  /** Whether the states at labels are a fixpoint. */
  private boolean isSettled;

  private final boolean feasibleOnly;
  private final ValueTable table = new ValueTable();
  private final HelperCalls calls;

  /** Visits each instruction once, blocks in reverse postorder of their labels. */
  public interface Visitor {
    /** Visits an instruction with the state before it. */
    void visit(int index, Instruction instruction, ValueState before);

    /** Visits the taken branch of the jump at {@code index}. */
    default void jump(int index, Label label, ValueState state) {}

    /** Visits the fall-through into the label at {@code index}. */
    default void fall(int index, Label label, ValueState state) {}
  }

  /**
   * Numbers the values of a program along all branches, feasible or not: a verifier may not see
   * that a branch is never taken, and must accept the result too.
   *
   * @param maps returns the sizes of a map by name, if known
   */
  public ValueNumbering(ControlFlow flow, Function<String, Optional<MapSizes>> maps) {
    this(flow, maps, false);
  }

  /**
   * Numbers the values of a program along feasible branches only, for a pass that cuts the others.
   */
  public static ValueNumbering ofFeasible(
      ControlFlow flow, Function<String, Optional<MapSizes>> maps) {
    return new ValueNumbering(flow, maps, true);
  }

  private ValueNumbering(
      ControlFlow flow, Function<String, Optional<MapSizes>> maps, boolean feasibleOnly) {
    this.flow = flow;
    this.feasibleOnly = feasibleOnly;
    calls = new HelperCalls(table, maps);
    order = new LabelOrder(flow);
    atLabel = new ValueState[flow.size()];
    if (order.hasLoops()) {
      settle();
    }
  }

  /** Iterates to the fixpoint: follows a block again whenever the state at its label changed. */
  private void settle() {
    Visitor ignore = (index, instruction, before) -> {};
    follow(START, initial(), ignore);
    while (!unsettled.isEmpty()) {
      int rank = unsettled.nextSetBit(0);
      unsettled.clear(rank);
      int label = order.index(rank);
      follow(label, requireNonNull(atLabel[label]).copy(), ignore);
    }
    isSettled = true;
  }

  /** Visits the whole program. */
  public void visit(Visitor visitor) {
    follow(START, initial(), visitor);
    for (int rank = order.first(); rank < order.end(); rank++) {
      // Without loops, all predecessors have been followed by now.
      int label = order.index(rank);
      ValueState state = atLabel[label];
      if (state != null) {
        follow(label, state.copy(), visitor);
      }
    }
    isSettled = true;
  }

  private ValueState initial() {
    return new ValueState(table, flow.registers());
  }

  /**
   * Follows one block: from the start or a label up to the next label or the end of control flow.
   */
  private void follow(int from, ValueState state, Visitor visitor) {
    for (int i = Math.max(from, 0); i < flow.size(); i++) {
      Instruction instruction = flow.at(i);
      if (i > from && instruction instanceof Instruction.LabelMark mark) {
        visitor.fall(i, mark.label(), state);
        enter(i, state);
        return;
      }
      state.numberOperands(i, flow.reads(i));
      visitor.visit(i, instruction, state);
      if (instruction instanceof Instruction.Jump jump) {
        Optional<Boolean> outcome = feasibleOnly ? state.outcome(jump) : Optional.empty();
        if (outcome.orElse(true)) {
          ValueState taken = state.copy();
          taken.assume(jump, true);
          visitor.jump(i, jump.target(), taken);
          enter(flow.target(i), taken);
        }
        if (outcome.orElse(false)) {
          return;
        }
        state.assume(jump, false);
      } else if (instruction instanceof Instruction.Goto jump) {
        visitor.jump(i, jump.target(), state);
        enter(flow.target(i), state);
        return;
      } else if (instruction instanceof Instruction.Exit) {
        return;
      } else {
        step(i, instruction, state);
      }
    }
  }

  private void enter(int label, ValueState state) {
    if (isSettled) {
      return;
    }
    ValueState known = atLabel[label];
    boolean changed = known == null || known.join(state, label);
    if (known == null) {
      atLabel[label] = state.copy();
    }
    if (changed) {
      unsettled.set(order.rank(label));
    }
  }

  /** Returns the constant that a pure instruction computes, if known. */
  public OptionalLong constant(int index, Instruction instruction, ValueState before) {
    return table.constantOf(result(instruction, before));
  }

  /** Returns a virtual register that already holds the result of an instruction, if any. */
  public Optional<Register> holder(int index, Instruction instruction, ValueState before) {
    if (instruction instanceof Instruction.CallHelper call) {
      return before.holder(calls.result(index, call, before));
    }
    return before.holder(result(instruction, before));
  }

  /** Returns whether the result of an instruction equals the value of {@code register}. */
  public boolean yields(int index, Instruction instruction, ValueState before, Register register) {
    int value = result(instruction, before);
    return value != 0 && value == before.value(register);
  }

  /** Returns the stack bytes that a call reads and writes. */
  public StackAccess access(Instruction.CallHelper call, ValueState before) {
    return calls.access(call, before);
  }

  /**
   * Returns the offset from r10 of a copy of the thread name, if {@code call} fetches the name and
   * the stack already holds it.
   */
  public OptionalInt threadName(Instruction.CallHelper call, ValueState before) {
    return calls.threadName(call, before);
  }

  /** Returns whether a store writes the value that the stack already holds. */
  public boolean isRedundant(Instruction.Store store, ValueState before) {
    OptionalInt base = before.stackOffset(store.base());
    if (base.isEmpty()) {
      return false;
    }
    int value = table.stored(store.size(), before.value(store.src()));
    return before.stack(base.getAsInt() + store.offset(), store.size().bytes()) == value;
  }

  private void step(int index, Instruction instruction, ValueState state) {
    if (instruction instanceof Instruction.Store store) {
      store(index, store, state);
    } else if (instruction instanceof Instruction.Atomic atomic) {
      OptionalInt base = state.stackOffset(atomic.base());
      if (base.isPresent()) {
        state.clearStack(base.getAsInt() + atomic.offset(), atomic.size().bytes());
      } else {
        storeToUnknown(index, atomic.base(), state);
      }
      state.clobber(index, flow.writes(index));
    } else if (instruction instanceof Instruction.CallHelper call) {
      int result = calls.result(index, call, state);
      calls.updateMemory(index, call, state);
      state.clobber(index, flow.writes(index));
      state.clearNonZero(result);
      state.set(0, result);
    } else if (instruction instanceof Instruction.CallLocal
        || instruction instanceof Instruction.CallKernel) {
      state.clearStack();
      state.bumpKeys(index);
      state.clobber(index, flow.writes(index));
    } else {
      int value = result(instruction, state);
      if (value != 0) {
        state.set(flow.writes(index)[0], value);
      } else {
        state.clobber(index, flow.writes(index));
      }
    }
  }

  /** Returns the value number of an instruction's result, 0 if opaque. */
  private int result(Instruction instruction, ValueState before) {
    if (instruction instanceof Instruction.Alu alu) {
      int left = alu.op() == AluOp.MOV ? 0 : before.value(alu.dst());
      return table.operation(alu.width(), alu.op(), left, before.value(alu.src()));
    }
    if (instruction instanceof Instruction.LoadWide load) {
      return load.source() instanceof WideSource.Constant constant
          ? table.constant(constant.value())
          : table.number(new ValueTable.Wide(load.source()));
    }
    return instruction instanceof Instruction.Load load ? loaded(load, before) : 0;
  }

  private int loaded(Instruction.Load load, ValueState before) {
    int base = before.value(load.base());
    OptionalInt stack = table.stackOffset(base);
    if (stack.isPresent()) {
      return load.extension() == Extension.ZERO
          ? before.stack(stack.getAsInt() + load.offset(), load.size().bytes())
          : 0;
    }
    if (!table.isOffStack(base)) {
      return 0;
    }
    int version = table.isConstantMemory(base) ? 0 : before.memory();
    return table.number(
        new ValueTable.Loaded(
            load.size(),
            load.extension(),
            table.base(base),
            table.distance(base) + load.offset(),
            version));
  }

  private void store(int index, Instruction.Store store, ValueState state) {
    OptionalInt base = state.stackOffset(store.base());
    if (base.isPresent()) {
      int value = table.stored(store.size(), state.value(store.src()));
      state.setStack(base.getAsInt() + store.offset(), store.size().bytes(), value);
    } else {
      storeToUnknown(index, store.base(), state);
    }
  }

  private static void storeToUnknown(int index, Register base, ValueState state) {
    if (!state.isOffStack(base)) {
      state.clearStack();
    }
    state.bumpMemory(index);
  }
}
