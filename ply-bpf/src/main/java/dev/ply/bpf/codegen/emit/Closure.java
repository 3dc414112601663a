package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Compiles statements to a function that a helper calls, which uses the registers and the stack of
 * its surroundings. Their registers are passed in slots on the caller's stack: loaded at the
 * function's entry and, those that it changes, stored at its exits. Jumps to labels outside leave
 * the helper first.
 */
public final class Closure {
  /** The function's result for the helper to call it again. */
  public static final int CONTINUE = 0;

  /** The function's result for the helper to return. */
  public static final int STOP = 1;

  private final Memory memory;
  private final CodeBuilder code;
  private final ObjectBuilder object;
  private boolean isOptimized;

  /** The caller's registers have lower numbers than the function's own. */
  private int firstOwn;

  private final Map<Integer, Register> arguments = new LinkedHashMap<>();

  /** Begins a function that runs in a frame of its own, with the variables of {@code memory}. */
  public Closure(Memory memory, CodeBuilder code, ObjectBuilder object) {
    this.memory = memory;
    this.code = code;
    this.object = object;
  }

  /** Declares that the optimiser would find nothing in the function, and returns this. */
  public Closure optimized() {
    isOptimized = true;
    return this;
  }

  /** Returns the register that holds an argument of the function, counted from 1. */
  public Register argument(int number) {
    return arguments.computeIfAbsent(number, unused -> code.fresh());
  }

  /**
   * Compiles a call of a helper with a callback in r2, a context in r3 and flags in r4.
   *
   * @param first the helper's first argument
   * @param context which argument of the function the context is
   * @param body emits the function
   */
  public void call(Helper helper, CodeBuilder.Argument first, int context, Consumer<Closure> body) {
    Register left = code.fresh();
    firstOwn = code.nextRegister();
    Label entry = code.label("each");
    Register frame = code.fresh();
    Register caller = code.fresh();
    List<Instruction> inner = new ArrayList<>();
    int stackUsed =
        memory.inFunction(
            frame,
            caller,
            () -> inner.addAll(onOwnStack(code.apart(() -> body.accept(this)), frame)));
    List<Label> outside = outside(inner);
    List<Instruction> renamed = outside.isEmpty() ? inner : leaving(inner, outside, left);
    Map<Integer, Place> slots = new LinkedHashMap<>();
    used(renamed).forEach(register -> slots.put(register, memory.allocateSlot()));
    List<Instruction> function = function(renamed, slots, caller, context, left);
    code.define(new Callback(entry, function, stackUsed, memory.depth(), isOptimized));

    if (!outside.isEmpty()) {
      code.move(left, new Immediate(0));
    }
    slots.forEach((register, slot) -> code.store(Size.DW, slot, new Register(register)));
    code.call(
        helper,
        first,
        code.function(entry),
        code.address(new Place(memory.frame(), 0)),
        code.value(0));
    Set<Integer> changed = written(renamed);
    slots.forEach(
        (register, slot) -> {
          if (changed.contains(register)) {
            code.load(Size.DW, new Register(register), slot);
          }
        });
    for (int i = 0; i < outside.size(); i++) {
      code.jump(Width.W64, JumpOp.JEQ, left, new Immediate(i + 1), outside.get(i));
    }
  }

  private List<Instruction> function(
      List<Instruction> body,
      Map<Integer, Place> slots,
      Register caller,
      int context,
      Register left) {
    Set<Integer> changed = written(body);
    return code.apart(
        () -> {
          code.move(caller, Register.argument(context));
          arguments.forEach((number, to) -> code.move(to, Register.argument(number)));
          slots.forEach(
              (register, slot) ->
                  code.load(Size.DW, new Register(register), new Place(caller, slot.offset())));
          hide(
              slots.keySet().stream()
                  .filter(register -> changed.contains(register) && register != left.number())
                  .toList());
          for (Instruction instruction : body) {
            if (instruction instanceof Instruction.Exit) {
              slots.forEach(
                  (register, slot) -> {
                    if (changed.contains(register)) {
                      code.store(Size.DW, new Place(caller, slot.offset()), new Register(register));
                    }
                  });
            }
            code.emit(instruction);
          }
        });
  }

  /**
   * Hides the values of registers from verifiers by adding a zero that they take for an unknown
   * number: with known values that differ, they would verify each iteration on its own.
   */
  private void hide(List<Integer> changed) {
    if (changed.isEmpty()) {
      return;
    }
    Register zero = code.fresh();
    code.mapValue(object.zeroes(Long.BYTES), 0).load(zero);
    code.load(Size.DW, zero, new Place(zero, 0));
    changed.forEach(register -> code.alu(Width.W64, AluOp.ADD, new Register(register), zero));
  }

  /** Returns the labels that the function jumps to and does not define. */
  private static List<Label> outside(List<Instruction> body) {
    Set<Label> own = new HashSet<>();
    for (Instruction instruction : body) {
      if (instruction instanceof Instruction.LabelMark mark) {
        own.add(mark.label());
      }
    }
    List<Label> outside = new ArrayList<>();
    for (Instruction instruction : body) {
      target(instruction)
          .filter(label -> !own.contains(label) && !outside.contains(label))
          .ifPresent(outside::add);
    }
    return outside;
  }

  private static Optional<Label> target(Instruction instruction) {
    if (instruction instanceof Instruction.Goto jump) {
      return Optional.of(jump.target());
    }
    return instruction instanceof Instruction.Jump jump
        ? Optional.of(jump.target())
        : Optional.empty();
  }

  /** Returns the function with jumps to where it notes the label and stops the helper. */
  private List<Instruction> leaving(List<Instruction> body, List<Label> outside, Register left) {
    Map<Label, Label> exits = new LinkedHashMap<>();
    outside.forEach(label -> exits.put(label, code.label("leave")));
    return code.apart(
        () -> {
          for (Instruction instruction : body) {
            if (instruction instanceof Instruction.Goto jump && exits.containsKey(jump.target())) {
              code.jump(Objects.requireNonNull(exits.get(jump.target())));
            } else if (instruction instanceof Instruction.Jump jump
                && exits.containsKey(jump.target())) {
              code.jump(
                  jump.width(),
                  jump.op(),
                  jump.left(),
                  jump.right(),
                  Objects.requireNonNull(exits.get(jump.target())));
            } else {
              code.emit(instruction);
            }
          }
          for (int i = 0; i < outside.size(); i++) {
            code.place(Objects.requireNonNull(exits.get(outside.get(i))));
            code.move(left, new Immediate(i + 1));
            code.exit(STOP);
          }
        });
  }

  /** Returns the function with the registers that point to its own and its callers' stacks. */
  private List<Instruction> onOwnStack(List<Instruction> body, Register frame) {
    List<Instruction> renamed = new ArrayList<>(body.size());
    for (Instruction instruction : body) {
      renamed.add(
          RegisterUse.rename(
              instruction,
              register -> register.equals(frame) ? Register.R10 : memory.outer(register)));
    }
    return renamed;
  }

  /** Returns the caller's registers that the function reads or writes. */
  private Set<Integer> used(List<Instruction> body) {
    Set<Integer> used = new TreeSet<>();
    for (Instruction instruction : body) {
      RegisterUse use = RegisterUse.of(instruction);
      use.reads().forEach(register -> used.add(register.number()));
      use.writes().forEach(register -> used.add(register.number()));
    }
    used.removeIf(number -> number < Register.FIRST_VIRTUAL || number >= firstOwn);
    return used;
  }

  private static Set<Integer> written(List<Instruction> body) {
    Set<Integer> written = new TreeSet<>();
    for (Instruction instruction : body) {
      RegisterUse.of(instruction).writes().forEach(register -> written.add(register.number()));
    }
    return written;
  }
}
