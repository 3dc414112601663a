package dev.ply.bpf.vm.translate;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.interpret.LinkedProgram;
import dev.ply.bpf.vm.interpret.Step;
import dev.ply.bpf.vm.memory.Arithmetic;
import dev.ply.bpf.vm.memory.MachineMemory;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Writes the JVM instructions of steps that compute, compare, load and store. */
final class StepWriter {
  private static final String OPERATE =
      Type.getMethodDescriptor(
          Type.LONG_TYPE,
          Type.getType(AtomicOp.class),
          Type.LONG_TYPE,
          Type.getType(Size.class),
          Type.LONG_TYPE,
          Type.LONG_TYPE);

  private final LinkedProgram program;
  private final Emitter out;

  StepWriter(LinkedProgram program, Emitter out) {
    this.program = program;
    this.out = out;
  }

  /** Writes a step that is neither a jump nor a call; {@code before} holds where it begins. */
  void write(Step step, Initialised before) {
    switch (step.kind()) {
      case ADD -> wide(step, Opcodes.LADD);
      case SUB -> wide(step, Opcodes.LSUB);
      case MUL -> wide(step, Opcodes.LMUL);
      case OR -> wide(step, Opcodes.LOR);
      case AND -> wide(step, Opcodes.LAND);
      case XOR -> wide(step, Opcodes.LXOR);
      case LSH -> shift(step, Opcodes.LSHL);
      case RSH -> shift(step, Opcodes.LUSHR);
      case ARSH -> shift(step, Opcodes.LSHR);
      case ADD_32 -> narrow(step, Opcodes.IADD);
      case SUB_32 -> narrow(step, Opcodes.ISUB);
      case MUL_32 -> narrow(step, Opcodes.IMUL);
      case OR_32 -> narrow(step, Opcodes.IOR);
      case AND_32 -> narrow(step, Opcodes.IAND);
      case XOR_32 -> narrow(step, Opcodes.IXOR);
      case LSH_32 -> narrow(step, Opcodes.ISHL);
      case RSH_32 -> narrow(step, Opcodes.IUSHR);
      case ARSH_32 -> narrow(step, Opcodes.ISHR);
      case MOV, MOV_32 -> move(step);
      case DIVIDE -> divide(step, (Instruction.Alu) step.instruction());
      case NEGATE -> negate(step, (Instruction.Negate) step.instruction());
      case SIGN_EXTEND -> signExtend(step, (Instruction.SignExtend) step.instruction());
      case BYTE_SWAP -> swap(step, (Instruction.ByteSwap) step.instruction());
      case LOAD_B, LOAD_H, LOAD_W, LOAD_DW -> load(step, before);
      case LOAD_SIGNED -> {
        load(step, before);
        out.load(step.destination());
        out.signExtend(((Instruction.Load) step.instruction()).size());
        out.store(step.destination());
      }
      case STORE_B, STORE_H, STORE_W, STORE_DW -> store(step, before);
      case ATOMIC -> operate(step, (Instruction.Atomic) step.instruction());
      default -> throw new IllegalArgumentException("no step to write: " + step);
    }
  }

  private void move(Step step) {
    right(step);
    if (step.kind() == Step.Kind.MOV_32) {
      out.lowerHalf();
    }
    out.store(step.destination());
  }

  private void wide(Step step, int opcode) {
    out.load(step.destination());
    right(step);
    out.op(opcode);
    out.store(step.destination());
  }

  /** The JVM, too, shifts by the low five or six bits of a count. */
  private void shift(Step step, int opcode) {
    out.load(step.destination());
    rightInt(step);
    out.op(opcode);
    out.store(step.destination());
  }

  private void narrow(Step step, int opcode) {
    leftInt(step);
    rightInt(step);
    out.op(opcode);
    out.zeroExtend();
    out.store(step.destination());
  }

  private void divide(Step step, Instruction.Alu alu) {
    String name =
        switch (alu.op()) {
          case DIV -> "divide";
          case SDIV -> "divideSigned";
          case MOD -> "remainder";
          case SMOD -> "remainderSigned";
          default -> throw new IllegalArgumentException("no division: " + alu);
        };
    if (alu.width() == Width.W64) {
      out.load(step.destination());
      right(step);
      out.callStatic(Arithmetic.class, name, "(JJ)J");
    } else {
      leftInt(step);
      rightInt(step);
      out.callStatic(Arithmetic.class, name, "(II)I");
      out.zeroExtend();
    }
    out.store(step.destination());
  }

  private void negate(Step step, Instruction.Negate negate) {
    out.load(step.destination());
    out.op(Opcodes.LNEG);
    truncate(negate.width());
    out.store(step.destination());
  }

  private void signExtend(Step step, Instruction.SignExtend extend) {
    right(step);
    out.signExtend(extend.from());
    truncate(extend.width());
    out.store(step.destination());
  }

  private void truncate(Width width) {
    if (width == Width.W32) {
      out.lowerHalf();
    }
  }

  private void swap(Step step, Instruction.ByteSwap swap) {
    int unused = Long.SIZE - swap.bits();
    out.load(step.destination());
    if (swap.order() == Instruction.ByteSwap.Order.LITTLE) {
      out.push(unused);
      out.op(Opcodes.LSHL);
    } else {
      out.callStatic(Long.class, "reverseBytes", "(J)J");
    }
    out.push(unused);
    out.op(Opcodes.LUSHR);
    out.store(step.destination());
  }

  private void load(Step step, Initialised before) {
    String name = "load" + Byte.SIZE * step.bytes();
    if (Initialised.accessesStack(step) && before.hasStack(step)) {
      out.variable(Opcodes.ALOAD, Emitter.FRAME);
      out.push(Initialised.stackOffset(step));
      out.call(CallStack.Frame.class, name, "(I)J");
    } else {
      out.variable(Opcodes.ALOAD, Emitter.MEMORY);
      address(step.source(), step);
      out.call(MachineMemory.class, name, "(J)J");
    }
    out.store(step.destination());
  }

  private void store(Step step, Initialised before) {
    int bits = Byte.SIZE * step.bytes();
    if (Initialised.accessesStack(step)) {
      out.variable(Opcodes.ALOAD, Emitter.FRAME);
      out.push(Initialised.stackOffset(step));
      right(step);
      String name = before.hasStack(step) ? "store" : "initialise";
      out.call(CallStack.Frame.class, name + bits, "(IJ)V");
    } else {
      out.variable(Opcodes.ALOAD, Emitter.MEMORY);
      address(step.destination(), step);
      right(step);
      out.call(MachineMemory.class, "store" + bits, "(JJ)V");
    }
  }

  private void operate(Step step, Instruction.Atomic atomic) {
    out.variable(Opcodes.ALOAD, Emitter.MEMORY);
    out.push(atomic.op());
    address(step.destination(), step);
    out.push(atomic.size());
    right(step);
    out.load(0);
    out.call(MachineMemory.class, "operate", OPERATE);
    if (atomic.op() == AtomicOp.CMPXCHG) {
      out.store(0);
    } else if (atomic.op().fetches()) {
      out.store(step.source());
    } else {
      out.op(Opcodes.POP2);
    }
  }

  /** Writes a conditional jump. */
  void jump(Step step, Label target) {
    Instruction.Jump jump = (Instruction.Jump) step.instruction();
    if (jump.width() == Width.W64) {
      jumpWide(step, jump.op(), target);
    } else {
      jumpNarrow(step, jump.op(), target);
    }
  }

  private void jumpWide(Step step, JumpOp op, Label target) {
    out.load(step.destination());
    if (op == JumpOp.JSET) {
      right(step);
      out.op(Opcodes.LAND);
      out.push(0L);
    } else if (isUnsigned(op)) {
      flipSign();
      if (isConstant(step)) {
        out.push(program.constant(step.source()) ^ Long.MIN_VALUE);
      } else {
        right(step);
        flipSign();
      }
    } else {
      right(step);
    }
    out.op(Opcodes.LCMP);
    out.jump(
        switch (op) {
          case JEQ -> Opcodes.IFEQ;
          case JNE, JSET -> Opcodes.IFNE;
          case JGT, JSGT -> Opcodes.IFGT;
          case JGE, JSGE -> Opcodes.IFGE;
          case JLT, JSLT -> Opcodes.IFLT;
          case JLE, JSLE -> Opcodes.IFLE;
        },
        target);
  }

  /** Makes the order of signed numbers that of unsigned ones. */
  private void flipSign() {
    out.push(Long.MIN_VALUE);
    out.op(Opcodes.LADD);
  }

  private void jumpNarrow(Step step, JumpOp op, Label target) {
    leftInt(step);
    rightInt(step);
    if (op == JumpOp.JSET) {
      out.op(Opcodes.IAND);
      out.jump(Opcodes.IFNE, target);
      return;
    }
    if (isUnsigned(op)) {
      out.callStatic(Integer.class, "compareUnsigned", "(II)I");
      out.push(0);
    }
    out.jump(
        switch (op) {
          case JEQ -> Opcodes.IF_ICMPEQ;
          case JNE, JSET -> Opcodes.IF_ICMPNE;
          case JGT, JSGT -> Opcodes.IF_ICMPGT;
          case JGE, JSGE -> Opcodes.IF_ICMPGE;
          case JLT, JSLT -> Opcodes.IF_ICMPLT;
          case JLE, JSLE -> Opcodes.IF_ICMPLE;
        },
        target);
  }

  private static boolean isUnsigned(JumpOp op) {
    return switch (op) {
      case JGT, JGE, JLT, JLE -> true;
      case JEQ, JNE, JSET, JSGT, JSGE, JSLT, JSLE -> false;
    };
  }

  private void address(int base, Step step) {
    out.load(base);
    if (step.offset() != 0) {
      out.push((long) step.offset());
      out.op(Opcodes.LADD);
    }
  }

  private void leftInt(Step step) {
    out.load(step.destination());
    out.op(Opcodes.L2I);
  }

  private void right(Step step) {
    if (isConstant(step)) {
      out.push(program.constant(step.source()));
    } else {
      out.load(step.source());
    }
  }

  private void rightInt(Step step) {
    if (isConstant(step)) {
      out.push((int) program.constant(step.source()));
    } else {
      out.load(step.source());
      out.op(Opcodes.L2I);
    }
  }

  private static boolean isConstant(Step step) {
    return step.source() >= LinkedProgram.REGISTERS;
  }
}
