package dev.ply.bpf.vm.translate;

import dev.ply.bpf.isa.Size;
import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.memory.MachineMemory;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Emits JVM instructions over the local variables of a translated function. */
final class Emitter {
  /** The local variables of r0 to r10; the parameters of a function are first. */
  private static final int[] REGISTERS = {12, 0, 2, 4, 6, 8, 14, 16, 18, 20, 22};

  /** The {@link TranslatedProgram}: a parameter. */
  static final int PROGRAM = 10;

  /** Bit set of the initialised ones of the tracked registers: a parameter. */
  static final int INITIALISED = 11;

  /** How many instructions the run may still execute. */
  static final int REMAINING = 24;

  /** The {@link MachineMemory}. */
  static final int MEMORY = 26;

  /** The {@link CallStack.Frame} of the function. */
  static final int FRAME = 27;

  /** The step that is executed, wherever that may fault. */
  static final int AT = 28;

  private static final Object[] LOCALS = {
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Type.getInternalName(TranslatedProgram.class),
    Opcodes.INTEGER,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Opcodes.LONG,
    Type.getInternalName(MachineMemory.class),
    Type.getInternalName(CallStack.Frame.class),
    Opcodes.INTEGER
  };

  private final MethodVisitor out;
  private boolean framed;

  Emitter(MethodVisitor out) {
    this.out = out;
  }

  void op(int opcode) {
    out.visitInsn(opcode);
  }

  void variable(int opcode, int variable) {
    out.visitVarInsn(opcode, variable);
  }

  void jump(int opcode, Label target) {
    out.visitJumpInsn(opcode, target);
  }

  /** Puts a label where all local variables have values and the operand stack is empty. */
  void label(Label label) {
    out.visitLabel(label);
    frame(Opcodes.F_SAME);
  }

  /** Puts the label of an exception handler. */
  void handler(Label label) {
    out.visitLabel(label);
    frame(Opcodes.F_SAME1, "java/lang/Throwable");
  }

  private void frame(int kind, Object... stack) {
    if (framed) {
      out.visitFrame(kind, 0, null, stack.length, stack);
    } else {
      out.visitFrame(Opcodes.F_FULL, LOCALS.length, LOCALS, stack.length, stack);
      framed = true;
    }
  }

  /** Pushes a register. */
  void load(int register) {
    out.visitVarInsn(Opcodes.LLOAD, REGISTERS[register]);
  }

  /** Pops a register. */
  void store(int register) {
    out.visitVarInsn(Opcodes.LSTORE, REGISTERS[register]);
  }

  void push(int value) {
    if (value >= -1 && value <= 5) {
      out.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value == (byte) value) {
      out.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value == (short) value) {
      out.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      out.visitLdcInsn(value);
    }
  }

  void push(long value) {
    if (value == 0 || value == 1) {
      out.visitInsn(Opcodes.LCONST_0 + (int) value);
    } else if (value == (short) value) {
      push((int) value);
      out.visitInsn(Opcodes.I2L);
    } else {
      out.visitLdcInsn(value);
    }
  }

  void push(Enum<?> constant) {
    Class<?> type = constant.getDeclaringClass();
    out.visitFieldInsn(
        Opcodes.GETSTATIC, Type.getInternalName(type), constant.name(), Type.getDescriptor(type));
  }

  /** Calls an instance method of a class of this package. */
  void call(Class<?> owner, String name, String descriptor) {
    out.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, Type.getInternalName(owner), name, descriptor, false);
  }

  void callStatic(Class<?> owner, String name, String descriptor) {
    callStatic(Type.getInternalName(owner), name, descriptor);
  }

  void callStatic(String owner, String name, String descriptor) {
    out.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }

  /** Extends the int on the operand stack to a long, by zeros. */
  void zeroExtend() {
    out.visitInsn(Opcodes.I2L);
    lowerHalf();
  }

  /** Clears the upper half of the long on the operand stack. */
  void lowerHalf() {
    out.visitLdcInsn(0xffff_ffffL);
    out.visitInsn(Opcodes.LAND);
  }

  /** Extends the low bytes of the long on the operand stack by their sign. */
  void signExtend(Size size) {
    if (size != Size.DW) {
      out.visitInsn(Opcodes.L2I);
      if (size != Size.W) {
        out.visitInsn(size == Size.B ? Opcodes.I2B : Opcodes.I2S);
      }
      out.visitInsn(Opcodes.I2L);
    }
  }
}
