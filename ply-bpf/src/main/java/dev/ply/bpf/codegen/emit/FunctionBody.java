package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Labels;
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
import java.util.Set;
import java.util.TreeSet;

/**
 * The code of a function that uses the registers of its surroundings: loaded from slots at its
 * entry and, those that it changes, stored at its exits. Jumps to labels outside leave the function
 * first.
 */
final class FunctionBody {
  private final CodeBuilder code;
  private final Register left;

  /** The caller's registers have lower numbers than the function's own. */
  private final int firstOwn;

  private final Register caller;
  private final List<Label> outside;
  private final List<Instruction> body;
  private final int stackUsed;

  /** Compiles the code, which runs in a stack frame of its own. */
  FunctionBody(Memory memory, CodeBuilder code, Runnable emitter) {
    this.code = code;
    this.left = code.fresh();
    this.firstOwn = code.nextRegister();
    this.caller = code.fresh();
    Register frame = code.fresh();
    List<Instruction> inner = new ArrayList<>();
    this.stackUsed =
        memory.inFunction(
            frame, caller, () -> inner.addAll(onOwnStack(code.apart(emitter), frame, memory)));
    this.outside = outside(inner);
    this.body = outside.isEmpty() ? inner : leaving(inner);
  }

  /** Returns the register that is to point to the end of the caller's stack. */
  Register caller() {
    return caller;
  }

  /** Returns the stack bytes in use, without spilled registers. */
  int stackUsed() {
    return stackUsed;
  }

  /** Returns the caller's registers that the code reads or writes. */
  Set<Integer> used() {
    Set<Integer> used = new TreeSet<>();
    for (Instruction instruction : body) {
      RegisterUse use = RegisterUse.of(instruction);
      use.reads().forEach(register -> used.add(register.number()));
      use.writes().forEach(register -> used.add(register.number()));
    }
    used.removeIf(number -> number < Register.FIRST_VIRTUAL || number >= firstOwn);
    return used;
  }

  /** Returns the registers that the code writes. */
  Set<Integer> changed() {
    Set<Integer> changed = new TreeSet<>();
    for (Instruction instruction : body) {
      RegisterUse.of(instruction).writes().forEach(register -> changed.add(register.number()));
    }
    return changed;
  }

  /** Returns whether verifiers know the register's value in the first round. */
  boolean isKnownAtFirst(int register) {
    return register == left.number();
  }

  /** Emits the code, as a part of the function. */
  void emit(Map<Integer, Place> slots) {
    Set<Integer> changed = changed();
    for (Instruction instruction : body) {
      if (instruction instanceof Instruction.Exit) {
        slots.forEach(
            (register, slot) -> {
              if (changed.contains(register)) {
                code.store(Size.DW, slot, new Register(register));
              }
            });
      }
      code.emit(instruction);
    }
  }

  /** Emits what the caller does before its call. */
  void pass(Map<Integer, Place> slots) {
    if (!outside.isEmpty()) {
      code.move(left, new Immediate(0));
    }
    slots.forEach((register, slot) -> code.store(Size.DW, slot, new Register(register)));
  }

  /** Emits what the caller does after its call. */
  void takeBack(Map<Integer, Place> slots) {
    Set<Integer> changed = changed();
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
      Labels.jumpTarget(instruction)
          .filter(label -> !own.contains(label) && !outside.contains(label))
          .ifPresent(outside::add);
    }
    return outside;
  }

  /** Returns the function with jumps to where it notes the label and stops. */
  private List<Instruction> leaving(List<Instruction> inner) {
    Map<Label, Label> exits = new LinkedHashMap<>();
    outside.forEach(label -> exits.put(label, code.label("leave")));
    return code.apart(
        () -> {
          for (Instruction instruction : inner) {
            code.emit(Labels.renamed(instruction, exits));
          }
          for (int i = 0; i < outside.size(); i++) {
            code.place(Objects.requireNonNull(exits.get(outside.get(i))));
            code.move(left, new Immediate(i + 1));
            code.exit(Closure.STOP);
          }
        });
  }

  /** Returns the function with the registers that point to its own and its callers' stacks. */
  private static List<Instruction> onOwnStack(
      List<Instruction> body, Register frame, Memory memory) {
    List<Instruction> renamed = new ArrayList<>(body.size());
    for (Instruction instruction : body) {
      renamed.add(
          RegisterUse.rename(
              instruction,
              register -> register.equals(frame) ? Register.R10 : memory.outer(register)));
    }
    return renamed;
  }
}
