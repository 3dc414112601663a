package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

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
  private final NavigableMap<Integer, Cell> stack;
  private final Set<Integer> nonZero;
  private int memory;
  private int keys;

  /** Memory of the stack that holds one value. */
  private record Cell(int size, int value) {}

  /** The state in which a program starts. */
  ValueState(ValueTable table, int registers) {
    this(table, new int[registers], new TreeMap<>(), new HashSet<>());
    this.memory = table.number(new ValueTable.Made(-1, MEMORY));
    this.keys = table.number(new ValueTable.Made(-1, KEYS));
    set(Register.R1, table.number(new ValueTable.Initial(1)));
    set(Register.R10, table.number(new ValueTable.Initial(10)));
  }

  private ValueState(
      ValueTable table, int[] registers, NavigableMap<Integer, Cell> stack, Set<Integer> nonZero) {
    this.table = table;
    this.registers = registers;
    this.stack = stack;
    this.nonZero = nonZero;
  }

  ValueState copy() {
    ValueState copy =
        new ValueState(table, registers.clone(), new TreeMap<>(stack), new HashSet<>(nonZero));
    copy.memory = memory;
    copy.keys = keys;
    return copy;
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
    registers[register.number()] = value;
  }

  int memory() {
    return memory;
  }

  int keys() {
    return keys;
  }

  /** Gives a number to what the registers hold that an instruction reads, where none is known. */
  void know(int index, List<Register> read) {
    for (Register register : read) {
      if (value(register) == UNKNOWN) {
        set(register, table.number(new ValueTable.Made(index, 1000 + register.number())));
      }
    }
  }

  /** Forgets that a value is not zero, which is about to be made anew. */
  void renew(int value) {
    nonZero.remove(value);
  }

  /** Memory outside the stack changes. */
  void changeMemory(int index) {
    memory = table.number(new ValueTable.Made(index, MEMORY));
  }

  /** Keys come or go, and with them memory. */
  void changeKeys(int index) {
    keys = table.number(new ValueTable.Made(index, KEYS));
    changeMemory(index);
  }

  void forgetStack() {
    stack.clear();
  }

  void forgetStack(int offset, int size) {
    Map.Entry<Integer, Cell> before = stack.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue().size() > offset) {
      stack.remove(before.getKey());
    }
    stack.subMap(offset, offset + size).clear();
  }

  void setStack(int offset, int size, int value) {
    forgetStack(offset, size);
    stack.put(offset, new Cell(size, value));
  }

  /** Returns the number of what {@code size} bytes of the stack hold, 0 if that is not known. */
  int stack(int offset, int size) {
    Map.Entry<Integer, Cell> found = stack.floorEntry(offset);
    if (found == null) {
      return UNKNOWN;
    }
    int start = found.getKey();
    Cell cell = found.getValue();
    if (start == offset && cell.size() == size) {
      return cell.value();
    }
    boolean within = start + cell.size() >= offset + size && Integer.bitCount(size) == 1;
    return within && size <= 8
        ? table.number(new ValueTable.Part(cell.value(), offset - start, Size.ofBytes(size)))
        : UNKNOWN;
  }

  /** Returns the values of which {@code size} bytes of the stack are made, if all are known. */
  Optional<List<Integer>> stackParts(int offset, int size) {
    List<Integer> parts = new ArrayList<>();
    int at = offset;
    while (at < offset + size) {
      Cell cell = stack.get(at);
      if (cell == null) {
        return Optional.empty();
      }
      parts.add(cell.size());
      parts.add(cell.value());
      at += cell.size();
    }
    return at == offset + size ? Optional.of(parts) : Optional.empty();
  }

  /** Returns where on the stack a value stands whole, if it does. */
  OptionalInt onStack(int value, int size) {
    for (Map.Entry<Integer, Cell> entry : stack.entrySet()) {
      if (entry.getValue().value() == value && entry.getValue().size() == size) {
        return OptionalInt.of(entry.getKey());
      }
    }
    return OptionalInt.empty();
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
        right.getAsLong() == 0 && jump.width() == Width.W64 && nonZero.contains(value(jump.left()));
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
      stack.replaceAll(
          (offset, cell) ->
              cell.value() == tested && cell.size() == 8 ? new Cell(8, constant) : cell);
    } else if (right.getAsLong() == 0) {
      nonZero.add(tested);
    }
  }

  /** Keeps what holds in the other state too; tells whether that was less. */
  boolean join(ValueState other, int label) {
    boolean changed = nonZero.retainAll(other.nonZero);
    for (int i = 0; i < registers.length; i++) {
      int joined = join(registers[i], other.registers[i], label, i);
      changed |= joined != registers[i];
      registers[i] = joined;
    }
    Iterator<Map.Entry<Integer, Cell>> cells = stack.entrySet().iterator();
    while (cells.hasNext()) {
      Map.Entry<Integer, Cell> entry = cells.next();
      Cell mine = entry.getValue();
      Cell theirs = other.stack.get(entry.getKey());
      if (theirs == null || theirs.size() != mine.size()) {
        cells.remove();
        changed = true;
      } else {
        int joined = join(mine.value(), theirs.value(), label, -1000 + entry.getKey());
        changed |= joined != mine.value();
        entry.setValue(new Cell(mine.size(), joined));
      }
    }
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
