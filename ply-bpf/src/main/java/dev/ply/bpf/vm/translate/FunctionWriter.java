package dev.ply.bpf.vm.translate;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.interpret.LinkedProgram;
import dev.ply.bpf.vm.interpret.Registers;
import dev.ply.bpf.vm.interpret.Step;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the JVM method of a function. Registers are local variables and jumps are jumps; a block
 * begins by subtracting its length from the number of instructions that the run may still execute.
 */
final class FunctionWriter {
  /** The signature of all functions: r1 to r5, the program and the initialised registers. */
  static final String DESCRIPTOR = "(JJJJJ" + Type.getDescriptor(TranslatedProgram.class) + "I)J";

  private static final String FAULT = Type.getDescriptor(VmFault.class);
  private static final String THROWABLE = Type.getDescriptor(Throwable.class);
  private static final String CALL_HELPER = "(" + Type.getDescriptor(Helper.class) + "JJJJJJ)J";

  private final String owner;
  private final Step[] steps;
  private final BasicBlocks blocks;
  private final int start;
  private final FunctionFlow flow;
  private final int tracked;
  private final MethodVisitor method;
  private final Emitter out;
  private final StepWriter writer;
  private final Map<Integer, Label> labels = new HashMap<>();
  private final Label exhausted = new Label();
  private final Label uninitialised = new Label();
  private final Label unexecutable = new Label();

  FunctionWriter(
      ClassWriter classWriter, String owner, LinkedProgram program, BasicBlocks blocks, int start) {
    this.owner = owner;
    this.steps = program.steps();
    this.blocks = blocks;
    this.start = start;
    this.flow = new FunctionFlow(steps, blocks, start);
    this.tracked = flow.tracked();
    this.method = classWriter.visitMethod(Opcodes.ACC_STATIC, name(start), DESCRIPTOR, null, null);
    this.out = new Emitter(method);
    this.writer = new StepWriter(program, out);
  }

  /** Returns the name of the method of the function that starts at a step. */
  static String name(int start) {
    return "function" + start;
  }

  /** Writes the method; returns its length in bytes. */
  int write() {
    Label first = new Label();
    Label last = new Label();
    Label thrown = new Label();
    method.visitCode();
    method.visitTryCatchBlock(first, last, thrown, null);
    begin();
    method.visitLabel(first);
    flow.entries().forEach(this::writeBlock);
    throwFault(uninitialised, "uninitialised", "(II)" + FAULT, true);
    throwFault(unexecutable, "unexecutable", "(I)" + FAULT, false);
    method.visitLabel(last);
    handle(thrown);
    exhaust();
    Label end = new Label();
    method.visitLabel(end);
    method.visitMaxs(0, 0);
    method.visitEnd();
    return end.getOffset();
  }

  /** Sets all local variables. */
  private void begin() {
    for (int register : new int[] {0, 6, 7, 8, 9}) {
      out.push(0L);
      out.store(register);
    }
    callProgram("memory", "()" + Type.getDescriptor(MachineMemory.class));
    out.variable(Opcodes.ASTORE, Emitter.MEMORY);
    callProgram("frame", "()" + Type.getDescriptor(CallStack.Frame.class));
    out.variable(Opcodes.ASTORE, Emitter.FRAME);
    out.variable(Opcodes.ALOAD, Emitter.FRAME);
    out.call(CallStack.Frame.class, "top", "()J");
    out.store(10);
    callProgram("remaining", "()J");
    out.variable(Opcodes.LSTORE, Emitter.REMAINING);
    setAt(start);
    if (flow.entries().firstKey() != start) {
      out.jump(Opcodes.GOTO, label(start));
    }
  }

  private void writeBlock(int first, Initialised entry) {
    int end = blocks.endOf(first);
    out.label(label(first));
    setAt(first);
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.push((long) end - first);
    out.op(Opcodes.LSUB);
    out.op(Opcodes.DUP2);
    out.variable(Opcodes.LSTORE, Emitter.REMAINING);
    out.push(0L);
    out.op(Opcodes.LCMP);
    out.jump(Opcodes.IFLT, exhausted);
    Initialised state = entry.copy();
    for (int i = first; i < end; i++) {
      writeStep(i, state);
      state.execute(steps[i]);
    }
  }

  private void writeStep(int index, Initialised before) {
    Step step = steps[index];
    if (mayFault(step)) {
      setAt(index);
    }
    requireInitialised(index, step.reads() & ~before.registers());
    switch (step.kind()) {
      case GOTO -> out.jump(Opcodes.GOTO, label(step.target()));
      case CALL_HELPER -> callHelper(step, before);
      case CALL_LOCAL -> callLocal(step, before);
      case EXIT -> exit(index, before);
      case END, UNSUPPORTED -> out.jump(Opcodes.GOTO, unexecutable);
      default -> {
        if (step.kind().isConditional()) {
          writer.jump(step, label(step.target()));
        } else {
          writer.write(step, before);
          track(step.writes() & ~before.registers());
        }
      }
    }
  }

  private static boolean mayFault(Step step) {
    return step.kind().isLoad()
        || step.kind().isStore()
        || switch (step.kind()) {
          case ATOMIC, CALL_HELPER, CALL_LOCAL, EXIT, END, UNSUPPORTED -> true;
          default -> false;
        };
  }

  private void requireInitialised(int index, int unproven) {
    if (unproven != 0) {
      setAt(index);
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      out.push(unproven);
      out.op(Opcodes.IAND);
      out.push(unproven);
      out.jump(Opcodes.IF_ICMPNE, uninitialised);
    }
  }

  /** Adds registers to those that are initialised, as far as these are tracked. */
  private void track(int written) {
    if ((written & tracked) != 0) {
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      out.push(written & tracked);
      out.op(Opcodes.IOR);
      out.variable(Opcodes.ISTORE, Emitter.INITIALISED);
    }
  }

  private void callHelper(Step step, Initialised before) {
    Helper helper = step.helper();
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    out.push(helper);
    for (int argument = 1; argument <= 5; argument++) {
      if (argument > helper.signature().parameters().size()) {
        out.push(0L);
      } else if (argument <= helper.signature().required()
          || (before.registers() & 1 << argument) != 0) {
        out.load(argument);
      } else {
        loadOptional(argument);
      }
    }
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.call(TranslatedProgram.class, "callHelper", CALL_HELPER);
    out.store(0);
    callProgram("remaining", "()J");
    out.variable(Opcodes.LSTORE, Emitter.REMAINING);
    forgetCallerSaved();
    track(Registers.afterHelper(0, helper));
  }

  /** Pushes an argument, or 0 if it is not initialised. */
  private void loadOptional(int argument) {
    out.load(argument);
    out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
    out.push(argument);
    out.op(Opcodes.IUSHR);
    out.push(1);
    out.op(Opcodes.IAND);
    out.op(Opcodes.I2L);
    out.op(Opcodes.LMUL);
  }

  private void callLocal(Step step, Initialised before) {
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.call(TranslatedProgram.class, "enter", "(J)V");
    for (int argument = 1; argument <= 5; argument++) {
      out.load(argument);
    }
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    int known = Registers.inCallee(before.registers());
    out.push(known);
    int unknown = Registers.ARGUMENTS & ~known;
    if (unknown != 0) {
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      out.push(unknown);
      out.op(Opcodes.IAND);
      out.op(Opcodes.IOR);
    }
    out.callStatic(owner, name(step.target()), DESCRIPTOR);
    out.store(0);
    callProgram("leave", "()J");
    out.variable(Opcodes.LSTORE, Emitter.REMAINING);
    forgetCallerSaved();
    if ((tracked & Registers.RESULT) != 0) {
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      callProgram("returned", "()I");
      out.op(Opcodes.IOR);
      out.variable(Opcodes.ISTORE, Emitter.INITIALISED);
    }
  }

  /** Removes r0 to r5 from the registers that are initialised. */
  private void forgetCallerSaved() {
    int lost = Registers.RESULT | Registers.ARGUMENTS;
    if ((tracked & lost) != 0) {
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      out.push(~lost);
      out.op(Opcodes.IAND);
      out.variable(Opcodes.ISTORE, Emitter.INITIALISED);
    }
  }

  private void exit(int index, Initialised before) {
    boolean isInitialised = (before.registers() & Registers.RESULT) != 0;
    if (!isInitialised) {
      setAt(index);
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
      out.push(TranslatedCode.RESULT_REQUIRED | Registers.RESULT);
      out.op(Opcodes.IAND);
      out.push(TranslatedCode.RESULT_REQUIRED);
      out.jump(Opcodes.IF_ICMPEQ, uninitialised);
    }
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    if (isInitialised) {
      out.push(Registers.RESULT);
    } else {
      out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
    }
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.call(TranslatedProgram.class, "exit", "(IJ)V");
    out.load(0);
    out.op(Opcodes.LRETURN);
  }

  /** Throws the fault that a method of the program returns for the current step. */
  private void throwFault(Label label, String name, String descriptor, boolean takesInitialised) {
    out.label(label);
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    out.variable(Opcodes.ILOAD, Emitter.AT);
    if (takesInitialised) {
      loadInitialised();
    }
    out.call(TranslatedProgram.class, name, descriptor);
    out.op(Opcodes.ATHROW);
  }

  /** Pushes the initialised registers; those that are not tracked are initialised where read. */
  private void loadInitialised() {
    out.variable(Opcodes.ILOAD, Emitter.INITIALISED);
    out.push(~tracked);
    out.op(Opcodes.IOR);
  }

  private void handle(Label thrown) {
    out.handler(thrown);
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    out.op(Opcodes.SWAP);
    out.variable(Opcodes.ILOAD, Emitter.AT);
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.call(TranslatedProgram.class, "locate", "(" + THROWABLE + "IJ)" + THROWABLE);
    out.op(Opcodes.ATHROW);
  }

  /** Leaves a block that the step limit cuts to the interpreter. */
  private void exhaust() {
    out.label(exhausted);
    callProgram("registers", "()[J");
    for (int register = 0; register < LinkedProgram.REGISTERS; register++) {
      out.op(Opcodes.DUP);
      out.push(register);
      out.load(register);
      out.op(Opcodes.LASTORE);
    }
    out.op(Opcodes.POP);
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    loadInitialised();
    out.variable(Opcodes.ILOAD, Emitter.AT);
    out.variable(Opcodes.LLOAD, Emitter.REMAINING);
    out.call(TranslatedProgram.class, "exhaust", "(IIJ)" + FAULT);
    out.op(Opcodes.ATHROW);
  }

  private void callProgram(String name, String descriptor) {
    out.variable(Opcodes.ALOAD, Emitter.PROGRAM);
    out.call(TranslatedProgram.class, name, descriptor);
  }

  private void setAt(int index) {
    out.push(index);
    out.variable(Opcodes.ISTORE, Emitter.AT);
  }

  private Label label(int step) {
    return labels.computeIfAbsent(step, index -> new Label());
  }
}
