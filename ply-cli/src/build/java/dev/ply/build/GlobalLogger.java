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
 * throw. The command itself has loggers only to silence those of other libraries, and keeps them.
 */
final class GlobalLogger extends ClassRewriting {
  private static final String LOGGER = "java/util/logging/Logger";
  private static final String COMMAND = "dev/ply/cli/";

  private boolean isOfCommand;

  GlobalLogger(ClassVisitor next) {
    super(next);
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    isOfCommand = name.startsWith(COMMAND);
    super.visit(version, access, name, signature, superName, interfaces);
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
        if (!isOfCommand
            && owner.equals(LOGGER)
            && type.equals("(Ljava/lang/String;)L" + LOGGER + ";")) {
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
