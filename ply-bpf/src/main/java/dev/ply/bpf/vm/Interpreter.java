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
import dev.ply.bpf.isa.Width;

/** The interpreter loop over linked programs (RFC 9669). */
final class Interpreter {
  private static final long LOWER = 0xffff_ffffL;
  private static final int RESULT = 1;
  private static final int ARGUMENTS = 0b11_1110;
  private static final int SAVED = 0b11_1100_0000;
  private static final int FRAME_POINTER = 1 << 10;

  private final MachineMemory memory;
  private final HelperRuntime helpers;
  private final CallStack calls;
  private final long stepLimit;
  private long executed;

  /** The value of {@code executed} at which the current run exceeds its step limit. */
  private long limit;

  Interpreter(MachineMemory memory, HelperRuntime helpers, long stepLimit) {
    this.memory = memory;
    this.helpers = helpers;
    this.calls = new CallStack(memory);
    this.stepLimit = stepLimit;
  }

  /** Returns the number of steps executed in all runs. */
  long executed() {
    return executed;
  }

  /** Runs a program with {@code arguments} in r1 and up; returns r0. */
  long run(LinkedProgram program, long... arguments) {
    long[] registers = program.registers();
    int initialised = FRAME_POINTER;
    for (int i = 0; i < arguments.length; i++) {
      registers[i + 1] = arguments[i];
      initialised |= 2 << i;
    }
    limit = executed + stepLimit;
    calls.enter(registers, 0, 0);
    try {
      return execute(program.steps(), registers, initialised, 0);
    } finally {
      calls.unwind();
    }
  }

  /** Runs from {@code start} until the current function returns; returns r0. */
  private long execute(Step[] steps, long[] registers, int entry, int start) {
    int initialised = entry;
    int next = start;
    int depth = calls.depth();
    long allowed = limit - executed;
    long count = 0;
    Step step = steps[start];
    try {
      while (true) {
        step = steps[next++];
        if (count == allowed) {
          throw new VmFault(
              STEP_LIMIT, "is reached after " + stepLimit + " instructions, the step limit");
        }
        count++;
        if ((initialised & step.reads()) != step.reads()) {
          throw uninitialised(step.reads() & ~initialised);
        }
        initialised |= step.writes();
        switch (step.kind()) {
          case ADD -> registers[step.destination()] += registers[step.source()];
          case SUB -> registers[step.destination()] -= registers[step.source()];
          case MUL -> registers[step.destination()] *= registers[step.source()];
          case OR -> registers[step.destination()] |= registers[step.source()];
          case AND -> registers[step.destination()] &= registers[step.source()];
          case XOR -> registers[step.destination()] ^= registers[step.source()];
          case LSH -> registers[step.destination()] <<= registers[step.source()];
          case RSH -> registers[step.destination()] >>>= registers[step.source()];
          case ARSH -> registers[step.destination()] >>= registers[step.source()];
          case MOV -> registers[step.destination()] = registers[step.source()];
          case ADD_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] + (int) registers[step.source()]);
          case SUB_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] - (int) registers[step.source()]);
          case MUL_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] * (int) registers[step.source()]);
          case OR_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] | (int) registers[step.source()]);
          case AND_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] & (int) registers[step.source()]);
          case XOR_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] ^ (int) registers[step.source()]);
          case LSH_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] << (int) registers[step.source()]);
          case RSH_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] >>> (int) registers[step.source()]);
          case ARSH_32 ->
              registers[step.destination()] =
                  Integer.toUnsignedLong(
                      (int) registers[step.destination()] >> (int) registers[step.source()]);
          case MOV_32 -> registers[step.destination()] = registers[step.source()] & LOWER;
          case DIVIDE -> {
            Instruction.Alu alu = (Instruction.Alu) step.instruction();
            registers[step.destination()] =
                Arithmetic.apply(
                    alu.width(), alu.op(), registers[step.destination()], registers[step.source()]);
          }
          case NEGATE -> {
            Instruction.Negate negate = (Instruction.Negate) step.instruction();
            registers[step.destination()] =
                Arithmetic.negate(negate.width(), registers[step.destination()]);
          }
          case SIGN_EXTEND -> {
            Instruction.SignExtend extend = (Instruction.SignExtend) step.instruction();
            registers[step.destination()] =
                Arithmetic.signExtend(extend.width(), extend.from(), registers[step.source()]);
          }
          case BYTE_SWAP -> swap(step, registers);
          case LOAD_B ->
              registers[step.destination()] =
                  memory.load(registers[step.source()] + step.offset(), Size.B);
          case LOAD_H ->
              registers[step.destination()] =
                  memory.load(registers[step.source()] + step.offset(), Size.H);
          case LOAD_W ->
              registers[step.destination()] =
                  memory.load(registers[step.source()] + step.offset(), Size.W);
          case LOAD_DW ->
              registers[step.destination()] =
                  memory.load(registers[step.source()] + step.offset(), Size.DW);
          case LOAD_SIGNED -> {
            Instruction.Load load = (Instruction.Load) step.instruction();
            long value = memory.load(registers[step.source()] + step.offset(), load.size());
            registers[step.destination()] = Arithmetic.extend(Extension.SIGN, load.size(), value);
          }
          case STORE_B ->
              memory.store(
                  registers[step.destination()] + step.offset(), Size.B, registers[step.source()]);
          case STORE_H ->
              memory.store(
                  registers[step.destination()] + step.offset(), Size.H, registers[step.source()]);
          case STORE_W ->
              memory.store(
                  registers[step.destination()] + step.offset(), Size.W, registers[step.source()]);
          case STORE_DW ->
              memory.store(
                  registers[step.destination()] + step.offset(), Size.DW, registers[step.source()]);
          case ATOMIC -> operateAtomically(step, registers);
          case JEQ ->
              next =
                  registers[step.destination()] == registers[step.source()] ? step.target() : next;
          case JNE ->
              next =
                  registers[step.destination()] != registers[step.source()] ? step.target() : next;
          case JGT ->
              next =
                  Long.compareUnsigned(registers[step.destination()], registers[step.source()]) > 0
                      ? step.target()
                      : next;
          case JGE ->
              next =
                  Long.compareUnsigned(registers[step.destination()], registers[step.source()]) >= 0
                      ? step.target()
                      : next;
          case JLT ->
              next =
                  Long.compareUnsigned(registers[step.destination()], registers[step.source()]) < 0
                      ? step.target()
                      : next;
          case JLE ->
              next =
                  Long.compareUnsigned(registers[step.destination()], registers[step.source()]) <= 0
                      ? step.target()
                      : next;
          case JSGT ->
              next =
                  registers[step.destination()] > registers[step.source()] ? step.target() : next;
          case JSGE ->
              next =
                  registers[step.destination()] >= registers[step.source()] ? step.target() : next;
          case JSLT ->
              next =
                  registers[step.destination()] < registers[step.source()] ? step.target() : next;
          case JSLE ->
              next =
                  registers[step.destination()] <= registers[step.source()] ? step.target() : next;
          case JSET ->
              next =
                  (registers[step.destination()] & registers[step.source()]) != 0
                      ? step.target()
                      : next;
          case JUMP_32 -> {
            Instruction.Jump jump = (Instruction.Jump) step.instruction();
            if (jump.op()
                .test(Width.W32, registers[step.destination()], registers[step.source()])) {
              next = step.target();
            }
          }
          case GOTO -> next = step.target();
          case CALL_HELPER -> {
            executed += count;
            count = 0;
            initialised = callHelper(steps, step, registers, initialised);
            allowed = limit - executed;
          }
          case CALL_LOCAL -> {
            calls.enter(registers, initialised, next);
            initialised &= ARGUMENTS | FRAME_POINTER;
            next = step.target();
          }
          case EXIT -> {
            if (calls.depth() == depth) {
              if ((initialised & RESULT) == 0) {
                throw uninitialised(RESULT);
              }
              if (depth == 1) {
                helpers.requireAllReleased();
              }
              return registers[0];
            }
            CallStack.Frame frame = calls.leave(registers);
            initialised =
                (initialised & RESULT) | (frame.callerInitialised() & SAVED) | FRAME_POINTER;
            next = frame.returnTo();
          }
          case END -> throw new VmFault(END_OF_CODE, "runs past the end of the program");
          case UNSUPPORTED ->
              throw new VmFault(UNSUPPORTED, "is not supported: " + step.instruction());
        }
      }
    } catch (VmFault fault) {
      throw fault.isLocated() ? fault : fault.at(step.index(), step.span());
    } finally {
      executed += count;
    }
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
    long address = registers[step.destination()] + step.offset();
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

  private int callHelper(Step[] steps, Step step, long[] registers, int initialised) {
    Helper helper = ((Instruction.CallHelper) step.instruction()).helper().orElseThrow();
    registers[0] =
        helpers.call(
            helper, registers, (start, arguments) -> callBack(steps, start, registers, arguments));
    boolean returns = helper.signature().result() != HelperSignature.Result.NOTHING;
    return (initialised & ~(ARGUMENTS | RESULT)) | (returns ? RESULT : 0);
  }

  private long callBack(Step[] steps, int start, long[] registers, long... arguments) {
    calls.enter(registers, 0, 0);
    int initialised = FRAME_POINTER;
    for (int i = 0; i < arguments.length; i++) {
      registers[i + 1] = arguments[i];
      initialised |= 2 << i;
    }
    long result = execute(steps, registers, initialised, start);
    calls.leave(registers);
    return result;
  }

  private static VmFault uninitialised(int missing) {
    int register = Integer.numberOfTrailingZeros(missing);
    String since = register >= 1 && register <= 5 ? " since entry or the last call" : "";
    return new VmFault(UNINITIALISED_REGISTER, "reads r" + register + ", uninitialised" + since);
  }
}
