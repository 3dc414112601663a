package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.END_OF_CODE;
import static dev.ply.bpf.vm.VmFault.Kind.STEP_LIMIT;
import static dev.ply.bpf.vm.VmFault.Kind.UNINITIALISED_REGISTER;
import static dev.ply.bpf.vm.VmFault.Kind.UNSUPPORTED;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.HelperSignature;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Size;

/** Executes linked programs, one step after the other (RFC 9669). */
final class Interpreter {
  private static final int REGISTERS = 11;
  private static final int RESULT = 1;
  private static final int ARGUMENTS = 0b11_1110;
  private static final int SAVED = 0b11_1100_0000;
  private static final int FRAME_POINTER = 1 << 10;

  private final MachineMemory memory;
  private final HelperRuntime helpers;
  private final CallStack calls;
  private final long stepLimit;
  private long executed;

  Interpreter(MachineMemory memory, HelperRuntime helpers, long stepLimit) {
    this.memory = memory;
    this.helpers = helpers;
    this.calls = new CallStack(memory);
    this.stepLimit = stepLimit;
  }

  /** Returns how many steps were executed since the machine was made. */
  long executed() {
    return executed;
  }

  /** Runs a program with {@code arguments} in r1 and up, and returns r0. */
  long run(LinkedProgram program, long... arguments) {
    long[] registers = new long[REGISTERS];
    int initialised = FRAME_POINTER;
    for (int i = 0; i < arguments.length; i++) {
      registers[i + 1] = arguments[i];
      initialised |= 2 << i;
    }
    calls.enter(registers, 0, 0);
    try {
      return execute(program.steps(), registers, initialised);
    } finally {
      calls.unwind();
    }
  }

  private long execute(Step[] steps, long[] registers, int entry) {
    int initialised = entry;
    int next = 0;
    long count = 0;
    Step step = steps[0];
    try {
      while (true) {
        step = steps[next++];
        if (count == stepLimit) {
          throw new VmFault(
              STEP_LIMIT, "is reached after " + count + " instructions, the limit of a run");
        }
        count++;
        if ((initialised & step.reads()) != step.reads()) {
          throw uninitialised(step.reads() & ~initialised);
        }
        initialised |= step.writes();
        switch (step.kind()) {
          case ALU -> {
            Instruction.Alu alu = (Instruction.Alu) step.instruction();
            int at = step.destination();
            registers[at] =
                Arithmetic.apply(alu.width(), alu.op(), registers[at], right(step, registers));
          }
          case NEGATE -> {
            Instruction.Negate negate = (Instruction.Negate) step.instruction();
            int at = step.destination();
            registers[at] = Arithmetic.negate(negate.width(), registers[at]);
          }
          case SIGN_EXTEND -> {
            Instruction.SignExtend extend = (Instruction.SignExtend) step.instruction();
            registers[step.destination()] =
                Arithmetic.signExtend(extend.width(), extend.from(), registers[step.source()]);
          }
          case BYTE_SWAP -> swap(step, registers);
          case CONSTANT -> registers[step.destination()] = step.immediate();
          case LOAD -> {
            Instruction.Load load = (Instruction.Load) step.instruction();
            long value = memory.load(registers[step.source()] + load.offset(), load.size());
            registers[step.destination()] =
                load.extension() == Extension.ZERO
                    ? value
                    : Arithmetic.extend(load.extension(), load.size(), value);
          }
          case STORE -> {
            Instruction.Store store = (Instruction.Store) step.instruction();
            memory.store(
                registers[step.destination()] + store.offset(),
                store.size(),
                right(step, registers));
          }
          case ATOMIC -> operateAtomically(step, registers);
          case JUMP -> {
            Instruction.Jump jump = (Instruction.Jump) step.instruction();
            long left = registers[step.destination()];
            if (jump.op().test(jump.width(), left, right(step, registers))) {
              next = step.target();
            }
          }
          case GOTO -> next = step.target();
          case CALL_HELPER -> initialised = callHelper(step, registers, initialised);
          case CALL_LOCAL -> {
            calls.enter(registers, initialised, next);
            initialised &= ARGUMENTS | FRAME_POINTER;
            next = step.target();
          }
          case EXIT -> {
            if (calls.depth() == 1) {
              if ((initialised & RESULT) == 0) {
                throw uninitialised(RESULT);
              }
              helpers.requireAllReleased();
              return registers[0];
            }
            CallStack.Frame frame = calls.leave(registers);
            initialised =
                (initialised & RESULT) | (frame.callerInitialised() & SAVED) | FRAME_POINTER;
            next = frame.returnTo();
          }
          case END -> throw new VmFault(END_OF_CODE, "runs past the last instruction");
          case UNSUPPORTED ->
              throw new VmFault(
                  UNSUPPORTED, "executes what this machine does not have: " + step.instruction());
        }
      }
    } catch (VmFault fault) {
      throw fault.at(step.index(), step.span());
    } finally {
      executed += count;
    }
  }

  private static long right(Step step, long[] registers) {
    return step.source() < 0 ? step.immediate() : registers[step.source()];
  }

  private static void swap(Step step, long[] registers) {
    Instruction.ByteSwap swap = (Instruction.ByteSwap) step.instruction();
    int at = step.destination();
    registers[at] =
        switch (swap.order()) {
          case LITTLE -> registers[at] << (64 - swap.bits()) >>> (64 - swap.bits());
          case BIG, SWAPPED -> Arithmetic.swap(swap.bits(), registers[at]);
        };
  }

  private void operateAtomically(Step step, long[] registers) {
    Instruction.Atomic atomic = (Instruction.Atomic) step.instruction();
    Size size = atomic.size();
    long address = registers[step.destination()] + atomic.offset();
    memory.requireAligned(address, size);
    memory.requireWritable(address, size.bytes());
    long old = memory.load(address, size);
    long source = registers[step.source()];
    if (atomic.op() == AtomicOp.CMPXCHG) {
      if (old == Arithmetic.extend(Extension.ZERO, size, registers[0])) {
        memory.store(address, size, source);
      }
      registers[0] = old;
      return;
    }
    memory.store(address, size, Arithmetic.update(atomic.op(), old, source));
    if (atomic.op().fetches()) {
      registers[step.source()] = old;
    }
  }

  private int callHelper(Step step, long[] registers, int initialised) {
    Helper helper = ((Instruction.CallHelper) step.instruction()).helper().orElseThrow();
    registers[0] = helpers.call(helper, registers);
    boolean returns = helper.signature().result() != HelperSignature.Result.NOTHING;
    return (initialised & ~(ARGUMENTS | RESULT)) | (returns ? RESULT : 0);
  }

  private static VmFault uninitialised(int missing) {
    int register = Integer.numberOfTrailingZeros(missing);
    String why =
        register >= 1 && register <= 5
            ? "which nothing wrote since the start or the last call"
            : "which nothing wrote";
    return new VmFault(UNINITIALISED_REGISTER, "reads r" + register + ", " + why);
  }
}
