package dev.ply.bpf.vm.translate;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.interpret.Executable;
import dev.ply.bpf.vm.interpret.ExecutionState;
import dev.ply.bpf.vm.interpret.InterpretedProgram;
import dev.ply.bpf.vm.interpret.Interpreter;
import dev.ply.bpf.vm.interpret.LinkedProgram;
import dev.ply.bpf.vm.interpret.Registers;
import dev.ply.bpf.vm.interpret.Step;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.Arrays;
import java.util.Optional;

/**
 * A program translated to JVM bytecode, with what its code calls.
 *
 * <p>Code counts instructions by block, in a local variable: the counter is set before calls and
 * when a function ends, and corrected by the steps after the faulting one. A block that the step
 * limit cuts is left to the interpreter.
 */
public final class TranslatedProgram implements Executable {
  private static final int MOST_ARGUMENTS = 5;

  private final LinkedProgram program;
  private final TranslatedCode code;
  private final BasicBlocks blocks;
  private final ExecutionState state;
  private final Interpreter interpreter;
  private final long[] registers;
  private int returned;

  /**
   * Translates a program, or leaves it to the interpreter if that is impossible.
   *
   * @throws IllegalStateException if the library that writes class files is missing
   */
  public static Executable of(
      LinkedProgram program, ExecutionState state, Interpreter interpreter) {
    BasicBlocks blocks = new BasicBlocks(program.steps());
    Optional<TranslatedCode> translated;
    try {
      translated = Translator.translate(program, blocks);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "Engine.TRANSLATOR needs org.ow2.asm:asm on the class path, or the module"
              + " org.objectweb.asm",
          e);
    }
    return translated
        .<Executable>map(code -> new TranslatedProgram(program, code, blocks, state, interpreter))
        .orElseGet(() -> new InterpretedProgram(interpreter, program));
  }

  private TranslatedProgram(
      LinkedProgram program,
      TranslatedCode code,
      BasicBlocks blocks,
      ExecutionState state,
      Interpreter interpreter) {
    this.program = program;
    this.code = code;
    this.blocks = blocks;
    this.state = state;
    this.interpreter = interpreter;
    this.registers = program.registers();
  }

  @Override
  public long run(long... arguments) {
    state.counter().beginRun();
    state.calls().enter();
    try {
      return call(0, arguments);
    } finally {
      state.calls().unwind();
    }
  }

  private long call(int start, long... arguments) {
    long[] r = Arrays.copyOf(arguments, MOST_ARGUMENTS);
    int initialised = Registers.atEntry(arguments.length) | TranslatedCode.RESULT_REQUIRED;
    return code.call(start, r[0], r[1], r[2], r[3], r[4], this, initialised);
  }

  private long callBack(int start, long... arguments) {
    if (!blocks.functions().contains(start)) {
      // Not the address of a function that the program loads, but one computed from it.
      return interpreter.callBack(program.steps(), start, registers, arguments);
    }
    CallStack.Frame unused = state.calls().enter();
    long result = call(start, arguments);
    unused = state.calls().leave();
    return result;
  }

  MachineMemory memory() {
    return state.memory();
  }

  /** Returns the frame of the running function. */
  CallStack.Frame frame() {
    return state.calls().innermost();
  }

  /** Returns how many instructions the run may still execute. */
  long remaining() {
    return state.counter().remaining();
  }

  /** Returns the registers that {@link #exhaust} continues with. */
  long[] registers() {
    return registers;
  }

  /** Calls a helper; returns r0. */
  long callHelper(Helper helper, long r1, long r2, long r3, long r4, long r5, long remaining) {
    state.counter().setRemaining(remaining);
    registers[1] = r1;
    registers[2] = r2;
    registers[3] = r3;
    registers[4] = r4;
    registers[5] = r5;
    return state.helpers().call(helper, registers, this::callBack);
  }

  /** Pushes the frame of a function that is about to be called. */
  void enter(long remaining) {
    state.counter().setRemaining(remaining);
    CallStack.Frame unused = state.calls().enter();
  }

  /** Pops the frame of a function that has returned; returns {@link #remaining}. */
  long leave() {
    CallStack.Frame unused = state.calls().leave();
    return state.counter().remaining();
  }

  /** Ends a function; {@code initialised} has the bit of r0 if that is initialised. */
  void exit(int initialised, long remaining) {
    state.counter().setRemaining(remaining);
    returned = initialised & Registers.RESULT;
    if (state.calls().depth() == 1) {
      state.helpers().requireAllReleased();
    }
  }

  /** Returns the bit of r0 if the function that returned last has initialised it. */
  int returned() {
    return returned;
  }

  /** Executes what the step limit leaves of a block, whose whole length has been subtracted. */
  VmFault exhaust(int initialised, int start, long remaining) {
    state.counter().setRemaining(remaining + blocks.endOf(start) - start);
    long result = interpreter.execute(program.steps(), registers, initialised, start);
    throw new IllegalStateException("the step limit is not reached, but " + result + " returned");
  }

  /** Returns the fault of a step that reads registers which are not initialised. */
  VmFault uninitialised(int step, int initialised) {
    Step reader = program.steps()[step];
    int used = reader.kind() == Step.Kind.EXIT ? Registers.RESULT : reader.reads();
    return Registers.uninitialised(used & ~initialised);
  }

  /** Returns the fault of executing a step that cannot be executed. */
  VmFault unexecutable(int step) {
    return program.steps()[step].unexecutable();
  }

  /** Returns what to throw instead of something thrown by a step, and counts up to that step. */
  Throwable locate(Throwable thrown, int at, long remaining) {
    Step step = program.steps()[at];
    // Instructions that a call executed before it threw are counted already.
    long left = remaining + blocks.endOf(at) - 1 - at;
    state.counter().setRemaining(Math.min(state.counter().remaining(), left));
    return thrown instanceof VmFault fault && !fault.isLocated()
        ? fault.at(step.index(), step.span())
        : thrown;
  }
}
