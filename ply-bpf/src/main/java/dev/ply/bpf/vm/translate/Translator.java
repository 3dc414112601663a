package dev.ply.bpf.vm.translate;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.F_SAME;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LRETURN;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import dev.ply.bpf.vm.interpret.LinkedProgram;
import java.lang.invoke.MethodHandles;
import java.util.Optional;
import java.util.stream.Stream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Translates linked programs to JVM bytecode: a hidden class for each, with a static method for
 * each function.
 */
final class Translator {
  /** HotSpot does not compile larger methods (HugeMethodLimit); the JVM's own limit is 64 KB. */
  private static final int MOST_BYTES = 8000;

  /** In the same package, whose members its code calls. */
  private static final String NAME = "dev/ply/bpf/vm/translate/Translated";

  private static final String SUPER = Type.getInternalName(TranslatedCode.class);
  private static final String CALL =
      "(IJJJJJ" + Type.getDescriptor(TranslatedProgram.class) + "I)J";

  private final LinkedProgram program;
  private final BasicBlocks blocks;
  private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

  private Translator(LinkedProgram program, BasicBlocks blocks) {
    this.program = program;
    this.blocks = blocks;
  }

  /**
   * Translates a program, unless one of its functions is too large to be compiled by the JVM.
   *
   * @throws NoClassDefFoundError if the library that writes class files is missing
   */
  static Optional<TranslatedCode> translate(LinkedProgram program, BasicBlocks blocks) {
    return new Translator(program, blocks).write().map(Translator::define);
  }

  private static TranslatedCode define(byte[] bytes) {
    try {
      return (TranslatedCode)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a translated program is not instantiated", e);
    }
  }

  private Optional<byte[]> write() {
    writer.visit(V17, ACC_FINAL | ACC_SUPER, NAME, null, SUPER, null);
    writeConstructor();
    for (int start : blocks.functions()) {
      if (new FunctionWriter(writer, NAME, program, blocks, start).write() > MOST_BYTES) {
        return Optional.empty();
      }
    }
    writeCall();
    writer.visitEnd();
    return Optional.of(writer.toByteArray());
  }

  private void writeConstructor() {
    MethodVisitor method = writer.visitMethod(0, "<init>", "()V", null, null);
    method.visitCode();
    method.visitVarInsn(ALOAD, 0);
    method.visitMethodInsn(INVOKESPECIAL, SUPER, "<init>", "()V", false);
    method.visitInsn(RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private void writeCall() {
    MethodVisitor method = writer.visitMethod(0, "call", CALL, null, null);
    method.visitCode();
    int[] starts = blocks.functions().stream().mapToInt(Integer::intValue).toArray();
    Label[] labels = Stream.generate(Label::new).limit(starts.length).toArray(Label[]::new);
    Label unknown = new Label();
    method.visitVarInsn(ILOAD, 1);
    method.visitLookupSwitchInsn(unknown, starts, labels);
    for (int i = 0; i < starts.length; i++) {
      method.visitLabel(labels[i]);
      method.visitFrame(F_SAME, 0, null, 0, null);
      for (int argument = 0; argument < 5; argument++) {
        method.visitVarInsn(LLOAD, 2 + 2 * argument);
      }
      method.visitVarInsn(ALOAD, 12);
      method.visitVarInsn(ILOAD, 13);
      method.visitMethodInsn(
          INVOKESTATIC, NAME, FunctionWriter.name(starts[i]), FunctionWriter.DESCRIPTOR, false);
      method.visitInsn(LRETURN);
    }
    method.visitLabel(unknown);
    method.visitFrame(F_SAME, 0, null, 0, null);
    method.visitInsn(LCONST_0);
    method.visitInsn(LRETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }
}
