package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compiles statements to a function that a helper calls, which uses the registers and the stack of
 * its surroundings. Their registers are passed in slots on the caller's stack.
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
   * @param emitter emits the function
   */
  public void call(
      Helper helper, CodeBuilder.Argument first, int context, Consumer<Closure> emitter) {
    Label entry = code.label("each");
    FunctionBody body = new FunctionBody(memory, code, () -> emitter.accept(this));
    Map<Integer, Place> slots = new LinkedHashMap<>();
    body.used().forEach(register -> slots.put(register, memory.allocateSlot()));
    code.define(
        new CompiledFunction(
            entry, function(body, slots, context), body.stackUsed(), memory.depth(), isOptimized));
    body.pass(slots);
    code.call(
        helper,
        first,
        code.function(entry),
        code.address(new Place(memory.frame(), 0)),
        code.value(0));
    body.takeBack(slots);
  }

  private List<Instruction> function(FunctionBody body, Map<Integer, Place> slots, int context) {
    Map<Integer, Place> ofCaller = new LinkedHashMap<>();
    slots.forEach(
        (register, slot) -> ofCaller.put(register, new Place(body.caller(), slot.offset())));
    Set<Integer> changed = body.changed();
    return code.apart(
        () -> {
          code.move(body.caller(), Register.argument(context));
          arguments.forEach((number, to) -> code.move(to, Register.argument(number)));
          ofCaller.forEach((register, slot) -> code.load(Size.DW, new Register(register), slot));
          hide(
              slots.keySet().stream()
                  .filter(register -> changed.contains(register) && !body.isKnownAtFirst(register))
                  .toList());
          body.emit(ofCaller);
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
}
