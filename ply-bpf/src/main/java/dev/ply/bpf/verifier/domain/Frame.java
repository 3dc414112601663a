package dev.ply.bpf.verifier.domain;

import com.google.common.collect.ImmutableList;
import dev.ply.bpf.isa.Register;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A call frame: registers and stack of an active function. Immutable. */
public final class Frame {
  private static final int REGISTERS = 11;
  private static final int NO_CALLBACK = -1;

  private final RegisterState[] registers;
  private final StackState stack;
  private final int returnIndex;
  private final int function;
  private final int heldAtEntry;

  private Frame(
      RegisterState[] registers, StackState stack, int returnIndex, int function, int heldAtEntry) {
    this.heldAtEntry = heldAtEntry;
    this.registers = registers;
    this.stack = stack;
    this.returnIndex = returnIndex;
    this.function = function;
  }

  static Frame enter(int depth, int returnIndex, int function) {
    RegisterState[] registers = new RegisterState[REGISTERS];
    Arrays.fill(registers, RegisterState.uninitialized());
    registers[Register.R10.number()] = RegisterState.Pointer.to(new Region.Stack(depth));
    return new Frame(registers, StackState.empty(), returnIndex, function, NO_CALLBACK);
  }

  /**
   * Returns the frame of a callback.
   *
   * @param call the index of the helper call
   * @param held the number of unreleased references
   */
  static Frame enterCallback(int depth, int call, int function, int held) {
    Frame entered = enter(depth, call, function);
    return new Frame(entered.registers, entered.stack, call, function, held);
  }

  /** Returns whether a helper called the function. */
  public boolean isCallback() {
    return heldAtEntry != NO_CALLBACK;
  }

  /** Returns the number of unreleased references at the entry of a callback. */
  public int heldAtEntry() {
    return heldAtEntry;
  }

  /** Returns the state of a register. */
  public RegisterState register(Register register) {
    return registers[register.number()];
  }

  /** Returns the stack. */
  public StackState stack() {
    return stack;
  }

  /**
   * Returns the index at which the caller continues, -1 for the program; for a callback, the index
   * of the helper call, which may call it again.
   */
  public int returnIndex() {
    return returnIndex;
  }

  /** Returns the index of the function's entry. */
  public int function() {
    return function;
  }

  /** Returns the states of all registers, spilled ones included. */
  ImmutableList<RegisterState> registers() {
    ImmutableList.Builder<RegisterState> all = ImmutableList.builder();
    all.add(registers);
    stack.map(
        spilled -> {
          all.add(spilled);
          return spilled;
        });
    return all.build();
  }

  Frame with(Register register, RegisterState content) {
    RegisterState[] changed = registers.clone();
    changed[register.number()] = content;
    return new Frame(changed, stack, returnIndex, function, heldAtEntry);
  }

  Frame withStack(StackState changed) {
    return new Frame(registers, changed, returnIndex, function, heldAtEntry);
  }

  Frame map(UnaryOperator<RegisterState> change) {
    RegisterState[] changed = registers.clone();
    Arrays.setAll(changed, i -> change.apply(registers[i]));
    return new Frame(changed, stack.map(change), returnIndex, function, heldAtEntry);
  }

  Frame withoutDead(Predicate<Register> isLive) {
    RegisterState[] changed = registers.clone();
    for (int i = 0; i < Register.R10.number(); i++) {
      if (changed[i].isInitialized() && !isLive.test(new Register(i))) {
        changed[i] = new RegisterState.Uninitialized(RegisterState.Cause.DEAD);
      }
    }
    return new Frame(changed, stack, returnIndex, function, heldAtEntry);
  }

  boolean isSubsumedBy(Frame other, long slots, IdentityMatch ids) {
    if (returnIndex != other.returnIndex
        || function != other.function
        || heldAtEntry != other.heldAtEntry) {
      return false;
    }
    for (int i = 0; i < REGISTERS; i++) {
      if (!registers[i].isSubsumedBy(other.registers[i], ids)) {
        return false;
      }
    }
    return stack.isSubsumedBy(other.stack, slots, ids);
  }

  int shape() {
    int shape = returnIndex;
    for (RegisterState register : registers) {
      shape = 31 * shape + register.shape();
    }
    return 31 * shape + stack.shape();
  }

  Frame merge(Frame other, BinaryOperator<Scalar> numbers) {
    RegisterState[] changed = registers.clone();
    for (int i = 0; i < REGISTERS; i++) {
      if (changed[i] instanceof Scalar mine && !mine.equals(other.registers[i])) {
        changed[i] =
            other.registers[i] instanceof Scalar old ? numbers.apply(mine, old) : Scalar.top();
      }
    }
    return new Frame(
        changed, stack.merge(other.stack, numbers), returnIndex, function, heldAtEntry);
  }

  /** Returns the registers and stack slots that differ in {@code before}. */
  String changesSince(Frame before) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < REGISTERS; i++) {
      if (registers[i].isInitialized()) {
        String content = RegisterPrinter.print(registers[i]);
        if (!content.equals(RegisterPrinter.print(before.registers[i]))) {
          text.add("r" + i + "=" + content);
        }
      }
    }
    stack.changesSince(before.stack).forEach(text::add);
    return text.toString();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < REGISTERS; i++) {
      if (registers[i].isInitialized()) {
        text.append(text.isEmpty() ? "" : " ")
            .append('r')
            .append(i)
            .append('=')
            .append(RegisterPrinter.print(registers[i]));
      }
    }
    String slots = stack.toString();
    return slots.isEmpty() ? text.toString() : text + " " + slots;
  }
}
