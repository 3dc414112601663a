package dev.ply.cli.launch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives libraries the one logger of {@code java.util.logging} that is there without a
 * configuration, {@code Logger.global}, instead of one of their own. JNA asks for several when it
 * is loaded, and the first has the runtime read its security settings and look for other systems of
 * logging in all jars: a sixth of a start. What they log nobody would see; what goes wrong they
 * throw.
 */
final class LoggerSilencing {
  private static final int API = Opcodes.ASM9;
  private static final String LOGGER = "java/util/logging/Logger";

  private LoggerSilencing() {}

  /**
   * Returns the classes as they are then; those that ask for no logger are the same.
   *
   * @param classes by their internal names
   */
  static Map<String, byte[]> silence(Map<String, byte[]> classes) {
    Map<String, byte[]> silenced = new LinkedHashMap<>();
    classes.forEach((name, content) -> silenced.put(name, silence(content)));
    return silenced;
  }

  private static byte[] silence(byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, 0);
    Silencing silencing = new Silencing(writer);
    reader.accept(silencing, 0);
    return silencing.changed ? writer.toByteArray() : content;
  }

  private static final class Silencing extends ClassVisitor {
    private boolean changed;

    Silencing(ClassVisitor next) {
      super(API, next);
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
            changed = true;
            visitInsn(Opcodes.POP);
            visitFieldInsn(Opcodes.GETSTATIC, LOGGER, "global", "L" + LOGGER + ";");
          } else {
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
          }
        }
      };
    }
  }
}
