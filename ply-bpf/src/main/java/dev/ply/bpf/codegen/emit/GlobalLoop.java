package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compiles a loop whose rounds are calls of a global function: verifiers follow each round of the
 * loop, but the function only once, as it knows nothing of its caller. The registers that it uses
 * are passed in slots of the scratch map, so they cannot be pointers. Requires Linux 5.6.
 */
public final class GlobalLoop {
  private final Memory memory;
  private final CodeBuilder code;
  private boolean isOptimized;

  /** Begins a loop with the variables of {@code memory} that are in the scratch map. */
  public GlobalLoop(Memory memory, CodeBuilder code) {
    this.memory = memory;
    this.code = code;
  }

  /** Declares that the optimiser would find nothing in the function, and returns this. */
  public GlobalLoop optimized() {
    isOptimized = true;
    return this;
  }

  /**
   * Compiles the loop.
   *
   * @param rounds at most so many
   * @param emitter emits the function, with {@link Closure}'s results
   */
  public void repeat(int rounds, Runnable emitter) {
    Label entry = code.label("round");
    FunctionBody body = new FunctionBody(memory, code, emitter);
    Set<Integer> passed = body.used();
    passed.removeIf(memory::isScratch);
    Map<Integer, Place> slots = new LinkedHashMap<>();
    passed.forEach(register -> slots.put(register, memory.allocateInScratch(Long.BYTES)));
    code.define(
        new CompiledFunction(
            entry,
            function(body, slots),
            Math.max(ScratchValue.STACK_BYTES, body.stackUsed()),
            memory.depth(),
            isOptimized));
    body.pass(slots);
    Register round = code.fresh();
    Label head = code.label("again");
    Label done = code.label("repeated");
    code.constant(round, 0);
    code.place(head);
    code.emit(new Instruction.CallLocal(entry, /* isGlobal= */ true));
    code.jump(Width.W64, JumpOp.JNE, Register.R0, new Immediate(Closure.CONTINUE), done);
    code.alu(Width.W64, AluOp.ADD, round, 1);
    code.jump(Width.W64, JumpOp.JLT, round, new Immediate(rounds), head);
    code.place(done);
    body.takeBack(slots);
  }

  private List<Instruction> function(FunctionBody body, Map<Integer, Place> slots) {
    Set<Integer> bases = new LinkedHashSet<>(body.used());
    slots.values().forEach(slot -> bases.add(slot.base().number()));
    Label missing = code.label("no_scratch");
    return code.apart(
        () -> {
          memory.scratch().stream()
              .filter(value -> bases.contains(value.base().number()))
              .forEach(value -> value.find(code, missing));
          slots.forEach((register, slot) -> code.load(Size.DW, new Register(register), slot));
          body.emit(slots);
          code.place(missing);
          code.exit(Closure.STOP);
        });
  }
}
