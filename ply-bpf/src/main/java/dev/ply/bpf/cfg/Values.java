package dev.ply.bpf.cfg;

import static java.util.Objects.requireNonNull;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Which values a program's registers and stack hold at each point: equal numbers are equal values,
 * on whatever way control came there. Memory outside the stack may be changed by others at any
 * time, and what was read of it once is as good as what is read again, as long as the program does
 * not write itself.
 */
public final class Values {
  /** Where control comes from to the first instruction: before it, since that may be a label. */
  private static final int START = -1;

  private final List<Instruction> code;
  private final Map<Label, Integer> labels = new HashMap<>();
  private final Map<Integer, ValueState> atLabel = new HashMap<>();

  /** The labels at which less became known since what follows was followed, by their ranks. */
  private final BitSet unsettled = new BitSet();

  /** Only where there are jumps back. */
  private Optional<LabelOrder> order = Optional.empty();

  private final RegisterUse[] uses;
  private final int registers;
  private final boolean whereTaken;
  private final ValueTable table = new ValueTable();
  private final HelperCalls calls;

  /** Sees each instruction that is followed, in their order, with what is known before it. */
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
  public Values(List<Instruction> code, Function<String, Optional<MapSizes>> maps) {
    this(code, maps, false);
  }

  /**
   * Follows the values of a program without the ways that are never taken, for a pass that leaves
   * them out.
   */
  public static Values whereTaken(
      List<Instruction> code, Function<String, Optional<MapSizes>> maps) {
    return new Values(code, maps, true);
  }

  private Values(
      List<Instruction> code, Function<String, Optional<MapSizes>> maps, boolean whereTaken) {
    this.code = code;
    calls = new HelperCalls(table, maps);
    this.whereTaken = whereTaken;
    uses = new RegisterUse[code.size()];
    int highest = 10;
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Instruction.LabelMark mark) {
        labels.put(mark.label(), i);
      }
      RegisterUse use = RegisterUse.of(code.get(i));
      uses[i] = use;
      for (Register register : use.reads()) {
        highest = Math.max(highest, register.number());
      }
      for (Register register : use.writes()) {
        highest = Math.max(highest, register.number());
      }
    }
    registers = highest + 1;
    if (hasBackJump()) {
      settle();
    }
  }

  /** Without jumps back, all ways to a label have been followed when control comes to it. */
  private boolean hasBackJump() {
    for (int i = 0; i < code.size(); i++) {
      if (isBack(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBack(int index) {
    Instruction instruction = code.get(index);
    if (instruction instanceof Instruction.Goto jump) {
      return place(jump.target()) <= index;
    }
    return instruction instanceof Instruction.Jump branch && place(branch.target()) <= index;
  }

  /** Follows what comes after a label again each time that less is known there than before. */
  private void settle() {
    Visitor nobody = (index, instruction, before) -> {};
    LabelOrder ranks = new LabelOrder(code, labels.size(), this::place);
    order = Optional.of(ranks);
    follow(START, initial(), nobody);
    while (!unsettled.isEmpty()) {
      int rank = unsettled.nextSetBit(0);
      unsettled.clear(rank);
      int label = ranks.place(rank);
      follow(label, requireNonNull(atLabel.get(label)).copy(), nobody);
    }
  }

  /** Shows a visitor the whole program. */
  public void visit(Visitor visitor) {
    int i = follow(START, initial(), visitor);
    while (i < code.size()) {
      // What is no label here is never reached.
      ValueState state = atLabel.get(i);
      i = state == null ? i + 1 : follow(i, state.copy(), visitor);
    }
  }

  private ValueState initial() {
    return new ValueState(table, registers);
  }

  /**
   * Follows the code from the start or a label, that included, to the next label or to where
   * control does not go on. Returns where that is.
   */
  private int follow(int from, ValueState state, Visitor visitor) {
    for (int i = Math.max(from, 0); i < code.size(); i++) {
      Instruction instruction = code.get(i);
      if (i > from && instruction instanceof Instruction.LabelMark mark) {
        visitor.fall(i, mark.label(), state);
        enter(i, state);
        return i;
      }
      state.know(i, uses[i].reads());
      visitor.see(i, instruction, state);
      if (instruction instanceof Instruction.Goto jump) {
        visitor.jump(i, jump.target(), state);
        enter(place(jump.target()), state);
        return i + 1;
      } else if (instruction instanceof Instruction.Jump jump) {
        Optional<Boolean> outcome = whereTaken ? state.outcome(jump) : Optional.empty();
        if (outcome.orElse(true)) {
          ValueState taken = state.copy();
          taken.assume(jump, true);
          visitor.jump(i, jump.target(), taken);
          enter(place(jump.target()), taken);
        }
        if (outcome.orElse(false)) {
          return i + 1;
        }
        state.assume(jump, false);
      } else if (instruction instanceof Instruction.Exit) {
        return i + 1;
      } else {
        step(i, instruction, state);
      }
    }
    return code.size();
  }

  private int place(Label label) {
    Integer place = labels.get(label);
    if (place == null) {
      throw new IllegalArgumentException("a jump goes to " + label + ", which is nowhere");
    }
    return place;
  }

  private void enter(int label, ValueState state) {
    ValueState known = atLabel.get(label);
    boolean isLess = known == null || known.join(state, label);
    if (known == null) {
      atLabel.put(label, state.copy());
    }
    if (isLess && order.isPresent()) {
      unsettled.set(order.get().rank(label));
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
      forget(index, state);
    } else if (instruction instanceof Instruction.CallHelper call) {
      int result = calls.result(index, call, state);
      calls.changeMemory(index, call, state);
      forget(index, state);
      state.renew(result);
      state.set(Register.R0, result);
    } else if (instruction instanceof Instruction.CallLocal
        || instruction instanceof Instruction.CallKernel) {
      state.forgetStack();
      state.changeKeys(index);
      forget(index, state);
    } else {
      int value = made(instruction, state);
      if (value != 0) {
        state.set(uses[index].writes().get(0), value);
      } else {
        forget(index, state);
      }
    }
  }

  private void forget(int index, ValueState state) {
    for (Register register : uses[index].writes()) {
      int fresh = table.number(new ValueTable.Made(index, register.number()));
      state.renew(fresh);
      state.set(register, fresh);
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

  /** Returns the bytes on the stack that a load or store names, if it does. */
  public static Optional<StackAccess.Range> range(
      Register base, int offset, Size size, ValueState before) {
    OptionalInt start = before.stackOffset(base);
    return start.isPresent()
        ? Optional.of(new StackAccess.Range(start.getAsInt() + offset, size.bytes()))
        : Optional.empty();
  }
}
