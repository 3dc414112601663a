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
 * Which values a program's registers and stack hold at each point: equal numbers are equal values,
 * on whatever way control came there. Memory outside the stack may be changed by others at any
 * time, and what was read of it once is as good as what is read again, as long as the program does
 * not write itself.
 */
public final class Values {
  /** Where control comes from to the first instruction: before it, since that may be a label. */
  private static final int START = -1;

  private final ControlFlow flow;
  private final LabelOrder order;

  /** What is known where control comes to a label, by its place; nothing where it never does. */
  private final @Nullable ValueState[] atLabel;

  /** The labels at which less became known since what follows was followed, by their ranks. */
  private final BitSet unsettled = new BitSet();

  /** Whether what is known at labels holds on all ways to them. */
  private boolean isSettled;

  private final boolean whereTaken;
  private final ValueTable table = new ValueTable();
  private final HelperCalls calls;

  /**
   * Sees each instruction that is followed once, with what is known before it: labels in their
   * order, that is behind those that control may come from but for loops.
   */
  public interface Visitor {
    /** Sees an instruction. */
    void see(int index, Instruction instruction, ValueState before);

    /** Sees a jump at {@code index} that is taken to a label. */
    default void jump(int index, Label label, ValueState state) {}

    /** Sees control come to the label at {@code index} from the instruction before it. */
    default void fall(int index, Label label, ValueState state) {}
  }

  /**
   * Follows the values of a program on every way that its jumps have. Whoever checks the program
   * later may not see that a way is never taken, so what is found holds there, too.
   *
   * @param maps the sizes of maps by name, as far as they are known
   */
  public Values(ControlFlow flow, Function<String, Optional<MapSizes>> maps) {
    this(flow, maps, false);
  }

  /**
   * Follows the values of a program without the ways that are never taken, for a pass that leaves
   * them out.
   */
  public static Values whereTaken(ControlFlow flow, Function<String, Optional<MapSizes>> maps) {
    return new Values(flow, maps, true);
  }

  private Values(ControlFlow flow, Function<String, Optional<MapSizes>> maps, boolean whereTaken) {
    this.flow = flow;
    this.whereTaken = whereTaken;
    calls = new HelperCalls(table, maps);
    order = new LabelOrder(flow);
    atLabel = new ValueState[flow.size()];
    if (order.hasLoops()) {
      settle();
    }
  }

  /** Follows what comes after a label again each time that less is known there than before. */
  private void settle() {
    Visitor nobody = (index, instruction, before) -> {};
    follow(START, initial(), nobody);
    while (!unsettled.isEmpty()) {
      int rank = unsettled.nextSetBit(0);
      unsettled.clear(rank);
      int label = order.place(rank);
      follow(label, requireNonNull(atLabel[label]).copy(), nobody);
    }
    isSettled = true;
  }

  /** Shows a visitor the whole program. */
  public void visit(Visitor visitor) {
    follow(START, initial(), visitor);
    for (int rank = order.first(); rank < order.end(); rank++) {
      // Without loops, all ways to a label have been followed when its turn comes.
      int label = order.place(rank);
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
   * Follows the code from the start or a label, that included, to the next label or to where
   * control does not go on.
   */
  private void follow(int from, ValueState state, Visitor visitor) {
    for (int i = Math.max(from, 0); i < flow.size(); i++) {
      Instruction instruction = flow.at(i);
      if (i > from && instruction instanceof Instruction.LabelMark mark) {
        visitor.fall(i, mark.label(), state);
        enter(i, state);
        return;
      }
      state.know(i, flow.reads(i));
      visitor.see(i, instruction, state);
      if (instruction instanceof Instruction.Jump jump) {
        Optional<Boolean> outcome = whereTaken ? state.outcome(jump) : Optional.empty();
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
    boolean isLess = known == null || known.join(state, label);
    if (known == null) {
      atLabel[label] = state.copy();
    }
    if (isLess) {
      unsettled.set(order.rank(label));
    }
  }

  /** Returns the constant that an instruction makes, if it makes one and nothing else. */
  public OptionalLong constant(int index, Instruction instruction, ValueState before) {
    return table.constantOf(made(instruction, before));
  }

  /** Returns a virtual register that already holds what an instruction makes, if there is one. */
  public Optional<Register> holder(int index, Instruction instruction, ValueState before) {
    if (instruction instanceof Instruction.CallHelper call) {
      return before.holder(calls.result(index, call, before));
    }
    return before.holder(made(instruction, before));
  }

  /** Tells whether an instruction leaves in its register what {@code register} holds already. */
  public boolean makes(int index, Instruction instruction, ValueState before, Register register) {
    int value = made(instruction, before);
    return value != 0 && value == before.value(register);
  }

  /** Returns what a call does to the stack. */
  public StackAccess access(Instruction.CallHelper call, ValueState before) {
    return calls.access(call, before);
  }

  /**
   * Returns where on the stack, counted from r10, the running thread's name already stands if a
   * call is about to write it.
   */
  public OptionalInt threadName(Instruction.CallHelper call, ValueState before) {
    return calls.threadName(call, before);
  }

  /** Tells whether a store writes what stands there already. */
  public boolean isIdle(Instruction.Store store, ValueState before) {
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
        state.forgetStack(base.getAsInt() + atomic.offset(), atomic.size().bytes());
      } else {
        changeSomewhere(index, atomic.base(), state);
      }
      state.forget(index, flow.writes(index));
    } else if (instruction instanceof Instruction.CallHelper call) {
      int result = calls.result(index, call, state);
      calls.changeMemory(index, call, state);
      state.forget(index, flow.writes(index));
      state.renew(result);
      state.set(0, result);
    } else if (instruction instanceof Instruction.CallLocal
        || instruction instanceof Instruction.CallKernel) {
      state.forgetStack();
      state.changeKeys(index);
      state.forget(index, flow.writes(index));
    } else {
      int value = made(instruction, state);
      if (value != 0) {
        state.set(flow.writes(index)[0], value);
      } else {
        state.forget(index, flow.writes(index));
      }
    }
  }

  /** Returns the number of what an instruction leaves in its register, 0 if it is new. */
  private int made(Instruction instruction, ValueState before) {
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
    int version = table.isSteady(base) ? 0 : before.memory();
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
      changeSomewhere(index, store.base(), state);
    }
  }

  private static void changeSomewhere(int index, Register base, ValueState state) {
    if (!state.isOffStack(base)) {
      state.forgetStack();
    }
    state.changeMemory(index);
  }
}
