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

/** The value numbers of registers and stack contents at one point of a program. */
public final class ValueState {
  /** The size of a thread name (TASK_COMM_LEN). */
  static final int NAME_SIZE = 16;

  private static final int UNKNOWN = 0;

  // Pseudo-locations for versions of memory and of map keys in opaque and phi values.
  private static final int MEMORY = -1;

  private static final int KEYS = -2;

  final ValueTable table;
  private final int[] registers;
  private final StackValues stack;

  /** The values known to be non-zero. */
  private final BitSet nonZero;

  private int memory;
  private int keys;

  /** Creates the state at program entry. */
  ValueState(ValueTable table, int registers) {
    this.table = table;
    this.registers = new int[registers];
    this.stack = new StackValues();
    this.nonZero = new BitSet();
    this.memory = table.opaque(-1, MEMORY);
    this.keys = table.opaque(-1, KEYS);
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

  /** Assigns fresh values to the unknown ones among the registers that an instruction reads. */
  void numberOperands(int index, int[] read) {
    for (int register : read) {
      if (registers[register] == UNKNOWN) {
        registers[register] = table.opaque(index, 1000 + register);
      }
    }
  }

  /** Assigns fresh values to the registers that an instruction overwrites. */
  void clobber(int index, int[] written) {
    for (int register : written) {
      int fresh = table.opaque(index, register);
      clearNonZero(fresh);
      registers[register] = fresh;
    }
  }

  /** Clears the non-zero fact of a value that is about to be computed anew. */
  void clearNonZero(int value) {
    nonZero.clear(value);
  }

  /** Starts a new version of memory outside the stack. */
  void bumpMemory(int index) {
    memory = table.opaque(index, MEMORY);
  }

  /** Starts a new version of the keys of all maps, and of memory. */
  void bumpKeys(int index) {
    keys = table.opaque(index, KEYS);
    bumpMemory(index);
  }

  void clearStack() {
    stack.clear();
  }

  void clearStack(int offset, int size) {
    stack.clear(offset, size);
  }

  void setStack(int offset, int size, int value) {
    stack.set(offset, size, value);
  }

  /** Returns the value number of {@code size} bytes of the stack, 0 if unknown. */
  int stack(int offset, int size) {
    return stack.get(offset, size, table);
  }

  /** Returns sizes and values that make up {@code size} bytes of the stack, if all are known. */
  Optional<List<Integer>> stackParts(int offset, int size) {
    return stack.parts(offset, size);
  }

  /** Returns the offset from r10 of a copy of {@code value} on the stack, if any. */
  OptionalInt onStack(int value, int size) {
    return stack.find(value, size);
  }

  /** Returns the constant value of an operand, if known. */
  public OptionalLong constant(Operand operand) {
    return table.constantOf(value(operand));
  }

  /** Returns the offset from r10 that {@code register} points to, if known. */
  public OptionalInt stackOffset(Register register) {
    return table.stackOffset(value(register));
  }

  /** Returns whether {@code register} is known not to point to the stack. */
  public boolean isOffStack(Register register) {
    return table.isOffStack(value(register));
  }

  /** Returns the first virtual register that holds {@code value}, if any. */
  Optional<Register> holder(int value) {
    for (int i = Register.FIRST_VIRTUAL; i < registers.length; i++) {
      if (registers[i] == value && value != UNKNOWN) {
        return Optional.of(new Register(i));
      }
    }
    return Optional.empty();
  }

  /** Returns the first virtual register with the value of {@code register}, or {@code register}. */
  public Register original(Register register) {
    return register.isVirtual() ? holder(value(register)).orElse(register) : register;
  }

  /** Returns whether a jump is taken, if known. */
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

  /** Refines the state by the outcome of a jump. */
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

  /** Keeps what holds in {@code other} too; returns whether that changed anything. */
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

  private int join(int mine, int theirs, int label, int location) {
    if (mine == theirs || mine == UNKNOWN) {
      return mine;
    }
    return theirs == UNKNOWN ? UNKNOWN : table.phi(mine, theirs, label, location);
  }

  /** Returns whether the helper returns the same value throughout one run of a program. */
  static boolean isInvariant(Helper helper) {
    return helper == Helper.GET_CURRENT_PID_TGID
        || helper == Helper.GET_CURRENT_UID_GID
        || helper == Helper.GET_CURRENT_CGROUP_ID
        || helper == Helper.GET_NUMA_NODE_ID
        || helper == Helper.GET_CURRENT_TASK
        || helper == Helper.GET_CURRENT_TASK_BTF
        // Programs only ever pass the current task.
        || helper == Helper.TASK_PT_REGS
        || helper == Helper.GET_SMP_PROCESSOR_ID;
  }
}
