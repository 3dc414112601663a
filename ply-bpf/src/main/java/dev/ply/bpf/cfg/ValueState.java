package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What is known at one point of a program: the values in registers and on the stack. */
public final class ValueState {
  /** The size of a thread's name. */
  static final int NAME_SIZE = 16;

  private static final int UNKNOWN = 0;

  /** Where versions merge, beside registers; below them are places on the stack. */
  private static final int MEMORY = -1;

  private static final int KEYS = -2;

  final ValueTable table;
  private final int[] registers;
  private final StackValues stack;

  /** The values that are not zero. */
  private final BitSet nonZero;

  private int memory;
  private int keys;

  /** The state in which a program starts. */
  ValueState(ValueTable table, int registers) {
    this.table = table;
    this.registers = new int[registers];
    this.stack = new StackValues();
    this.nonZero = new BitSet();
    this.memory = table.made(-1, MEMORY);
    this.keys = table.made(-1, KEYS);
    set(Register.R1, table.number(new ValueTable.Initial(1)));
    set(Register.R10, table.number(new ValueTable.Initial(10)));
  }

  private ValueState(ValueState other) {
    table = other.table;
    registers = other.registers.clone();
    stack = other.stack.copy();
    nonZero = (BitSet) other.nonZero.clone();
    memory = other.memory;
    keys = other.keys;
  }

  ValueState copy() {
    return new ValueState(this);
  }

  int value(Register register) {
    return registers[register.number()];
  }

  int value(Operand operand) {
    return operand instanceof Immediate immediate
        ? table.constant(immediate.value())
        : value((Register) operand);
  }

  void set(Register register, int value) {
    set(register.number(), value);
  }

  void set(int register, int value) {
    registers[register] = value;
  }

  int memory() {
    return memory;
  }

  int keys() {
    return keys;
  }

  /** Gives a number to what the registers hold that an instruction reads, where none is known. */
  void know(int index, int[] read) {
    for (int register : read) {
      if (registers[register] == UNKNOWN) {
        registers[register] = table.made(index, 1000 + register);
      }
    }
  }

  /** Forgets what the registers held that an instruction writes. */
  void forget(int index, int[] written) {
    for (int register : written) {
      int fresh = table.made(index, register);
      renew(fresh);
      registers[register] = fresh;
    }
  }

  /** Forgets that a value is not zero, which is about to be made anew. */
  void renew(int value) {
    nonZero.clear(value);
  }

  /** Memory outside the stack changes. */
  void changeMemory(int index) {
    memory = table.made(index, MEMORY);
  }

  /** Keys come or go, and with them memory. */
  void changeKeys(int index) {
    keys = table.made(index, KEYS);
    changeMemory(index);
  }

  void forgetStack() {
    stack.clear();
  }

  void forgetStack(int offset, int size) {
    stack.forget(offset, size);
  }

  void setStack(int offset, int size, int value) {
    stack.set(offset, size, value);
  }

  /** Returns the number of what {@code size} bytes of the stack hold, 0 if that is not known. */
  int stack(int offset, int size) {
    return stack.get(offset, size, table);
  }

  /** Returns the values of which {@code size} bytes of the stack are made, if all are known. */
  Optional<List<Integer>> stackParts(int offset, int size) {
    return stack.parts(offset, size);
  }

  /** Returns where on the stack a value stands whole, if it does. */
  OptionalInt onStack(int value, int size) {
    return stack.find(value, size);
  }

  /** Returns the constant that the operand is, if it is known to be one. */
  public OptionalLong constant(Operand operand) {
    return table.constantOf(value(operand));
  }

  /** Returns the offset from r10 that the register points to, if it is known to. */
  public OptionalInt stackOffset(Register register) {
    return table.stackOffset(value(register));
  }

  /** Tells whether the register is known not to point to the stack. */
  public boolean isOffStack(Register register) {
    return table.isOffStack(value(register));
  }

  /** Returns the first virtual register that holds a value, if one does. */
  Optional<Register> holder(int value) {
    for (int i = Register.FIRST_VIRTUAL; i < registers.length; i++) {
      if (registers[i] == value && value != UNKNOWN) {
        return Optional.of(new Register(i));
      }
    }
    return Optional.empty();
  }

  /** Returns the first virtual register that holds the same value as {@code register}, if any. */
  public Register original(Register register) {
    return register.isVirtual() ? holder(value(register)).orElse(register) : register;
  }

  /** Tells whether a jump is taken, if that is known. */
  public Optional<Boolean> outcome(Instruction.Jump jump) {
    OptionalLong left = constant(jump.left());
    OptionalLong right = constant(jump.right());
    if (right.isEmpty()) {
      return Optional.empty();
    }
    if (left.isPresent()) {
      return Optional.of(jump.op().test(jump.width(), left.getAsLong(), right.getAsLong()));
    }
    boolean known =
        right.getAsLong() == 0 && jump.width() == Width.W64 && nonZero.get(value(jump.left()));
    return known && (jump.op() == JumpOp.JEQ || jump.op() == JumpOp.JNE)
        ? Optional.of(jump.op() == JumpOp.JNE)
        : Optional.empty();
  }

  /** Learns from a jump that it was taken, or was not. */
  void assume(Instruction.Jump jump, boolean taken) {
    OptionalLong right = constant(jump.right());
    boolean equality = jump.op() == JumpOp.JEQ || jump.op() == JumpOp.JNE;
    if (right.isEmpty() || !equality || jump.width() != Width.W64) {
      return;
    }
    int tested = value(jump.left());
    if (taken == (jump.op() == JumpOp.JEQ)) {
      int constant = value(jump.right());
      for (int i = 0; i < registers.length; i++) {
        registers[i] = registers[i] == tested ? constant : registers[i];
      }
      stack.replace(tested, constant);
    } else if (right.getAsLong() == 0) {
      nonZero.set(tested);
    }
  }

  /** Keeps what holds in the other state too; tells whether that was less. */
  boolean join(ValueState other, int label) {
    int known = nonZero.cardinality();
    nonZero.and(other.nonZero);
    boolean changed = nonZero.cardinality() < known;
    for (int i = 0; i < registers.length; i++) {
      int joined = join(registers[i], other.registers[i], label, i);
      changed |= joined != registers[i];
      registers[i] = joined;
    }
    changed |=
        stack.join(
            other.stack, (mine, theirs, offset) -> join(mine, theirs, label, -1000 + offset));
    int oldMemory = memory;
    int oldKeys = keys;
    memory = join(memory, other.memory, label, MEMORY);
    keys = join(keys, other.keys, label, KEYS);
    return changed || oldMemory != memory || oldKeys != keys;
  }

  private int join(int mine, int theirs, int label, int place) {
    if (mine == theirs || mine == UNKNOWN) {
      return mine;
    }
    return theirs == UNKNOWN ? UNKNOWN : table.merged(mine, theirs, label, place);
  }

  /** Tells whether the helper always gives the same in one run of a program. */
  static boolean isFact(Helper helper) {
    return helper == Helper.GET_CURRENT_PID_TGID
        || helper == Helper.GET_CURRENT_UID_GID
        || helper == Helper.GET_CURRENT_TASK
        || helper == Helper.GET_CURRENT_TASK_BTF
        // Of the running thread, which is the only one that programs have.
        || helper == Helper.TASK_PT_REGS
        || helper == Helper.GET_SMP_PROCESSOR_ID;
  }
}
