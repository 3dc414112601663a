package dev.ply.build;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives libraries the one logger of {@code java.util.logging} that is there without a
 * configuration, {@code Logger.global}, instead of one of their own. JNA asks for several when it
 * is loaded, and the first has the runtime read its security settings and look for other systems of
 * logging in all jars: a sixth of a start. What they log nobody would see; what goes wrong they
 * throw.
 */
final class GlobalLogger extends ClassRewriting {
  private static final String LOGGER = "java/util/logging/Logger";

  GlobalLogger(ClassVisitor next) {
    super(next);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new MethodVisitor(
        API, super.visitMethod(access, method, descriptor, signature, exceptions)) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String type, boolean isInterface) {
        if (owner.equals(LOGGER) && type.equals("(Ljava/lang/String;)L" + LOGGER + ";")) {
          change();
          visitInsn(Opcodes.POP);
          visitFieldInsn(Opcodes.GETSTATIC, LOGGER, "global", "L" + LOGGER + ";");
        } else {
          super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }
      }
    };
  }
}
