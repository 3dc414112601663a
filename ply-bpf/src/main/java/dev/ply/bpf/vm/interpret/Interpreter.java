package dev.ply.bpf.vm.interpret;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.vm.helper.HelperRuntime;
import dev.ply.bpf.vm.memory.Arithmetic;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.VmFault;

/** The interpreter loop over linked programs (RFC 9669). */
public final class Interpreter {
  private static final long LOWER = 0xffff_ffffL;

  private final MachineMemory memory;
  private final HelperRuntime helpers;
  private final CallStack calls;
  private final StepCounter counter;

  /** Continues from a state. */
  public Interpreter(ExecutionState state) {
    this.memory = state.memory();
    this.helpers = state.helpers();
    this.calls = state.calls();
    this.counter = state.counter();
  }

  /** Runs a program with {@code arguments} in r1 and up; returns r0. */
  long run(LinkedProgram program, long... arguments) {
    long[] registers = program.registers();
    System.arraycopy(arguments, 0, registers, 1, arguments.length);
    counter.beginRun();
    calls.enter(registers, 0, 0);
    try {
      return execute(program.steps(), registers, Registers.atEntry(arguments.length), 0);
    } finally {
      calls.unwind();
    }
  }

  /**
   * Runs from {@code start} until the current function returns; returns r0.
   *
   * @param entry bit set of the initialised registers
   */
  public long execute(Step[] steps, long[] registers, int entry, int start) {
    int initialised = entry;
    int next = start;
    int depth = calls.depth();
    long allowed = counter.remaining();
    long count = 0;
    Step step = steps[start];
    try {
      while (true) {
        step = steps[next++];
        if (count == allowed) {
          throw counter.limitReached();
        }
        count++;
        if ((initialised & step.reads()) != step.reads()) {
          throw Registers.uninitialised(step.reads() & ~initialised);
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
                  memory.load8(registers[step.source()] + step.offset());
          case LOAD_H ->
              registers[step.destination()] =
                  memory.load16(registers[step.source()] + step.offset());
          case LOAD_W ->
              registers[step.destination()] =
                  memory.load32(registers[step.source()] + step.offset());
          case LOAD_DW ->
              registers[step.destination()] =
                  memory.load64(registers[step.source()] + step.offset());
          case LOAD_SIGNED -> {
            Instruction.Load load = (Instruction.Load) step.instruction();
            long value = memory.load(registers[step.source()] + step.offset(), load.size());
            registers[step.destination()] = Arithmetic.extend(Extension.SIGN, load.size(), value);
          }
          case STORE_B ->
              memory.store8(
                  registers[step.destination()] + step.offset(), registers[step.source()]);
          case STORE_H ->
              memory.store16(
                  registers[step.destination()] + step.offset(), registers[step.source()]);
          case STORE_W ->
              memory.store32(
                  registers[step.destination()] + step.offset(), registers[step.source()]);
          case STORE_DW ->
              memory.store64(
                  registers[step.destination()] + step.offset(), registers[step.source()]);
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
            counter.add(count);
            count = 0;
            initialised = callHelper(steps, step, registers, initialised);
            allowed = counter.remaining();
          }
          case CALL_LOCAL -> {
            calls.enter(registers, initialised, next);
            initialised = Registers.inCallee(initialised);
            next = step.target();
          }
          case EXIT -> {
            if (calls.depth() == depth) {
              if ((initialised & Registers.RESULT) == 0) {
                throw Registers.uninitialised(Registers.RESULT);
              }
              if (depth == 1) {
                helpers.requireAllReleased();
              }
              return registers[0];
            }
            CallStack.Frame frame = calls.leave(registers);
            initialised = Registers.afterCall(frame.callerInitialised(), initialised);
            next = frame.returnTo();
          }
          case END, UNSUPPORTED -> throw step.unexecutable();
        }
      }
    } catch (VmFault fault) {
      throw fault.isLocated() ? fault : fault.at(step.index(), step.span());
    } finally {
      counter.add(count);
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
    long address = registers[step.destination()] + step.offset();
    long source = registers[step.source()];
    long old = memory.operate(atomic.op(), address, atomic.size(), source, registers[0]);
    if (atomic.op() == AtomicOp.CMPXCHG) {
      registers[0] = old;
    } else if (atomic.op().fetches()) {
      registers[step.source()] = old;
    }
  }

  private int callHelper(Step[] steps, Step step, long[] registers, int initialised) {
    Helper helper = step.helper();
    int optional = helper.signature().required() + 1;
    for (int i = optional; i <= helper.signature().parameters().size(); i++) {
      if ((initialised & 1 << i) == 0) {
        registers[i] = 0;
      }
    }
    registers[0] =
        helpers.call(
            helper, registers, (start, arguments) -> callBack(steps, start, registers, arguments));
    return Registers.afterHelper(initialised, helper);
  }

  /** Calls the function at a step with arguments in r1 and up; returns r0. */
  public long callBack(Step[] steps, int start, long[] registers, long... arguments) {
    calls.enter(registers, 0, 0);
    System.arraycopy(arguments, 0, registers, 1, arguments.length);
    long result = execute(steps, registers, Registers.atEntry(arguments.length), start);
    calls.leave(registers);
    return result;
  }
}
