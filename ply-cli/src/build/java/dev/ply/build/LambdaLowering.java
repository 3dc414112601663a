package dev.ply.build;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Replaces the calls of LambdaMetafactory in classes by calls of classes made for them. What only
 * {@code altMetafactory} can make, such as lambdas that are serializable, is left as it is.
 */
final class LambdaLowering {
  private static final int API = Opcodes.ASM9;

  private final Map<String, byte[]> lowered = new LinkedHashMap<>();

  /** The classes made, by the class that has to let them see what is private. */
  private final Map<String, List<String>> members = new LinkedHashMap<>();

  /**
   * Returns the classes as they are now, and those made.
   *
   * @param classes all of a jar, by their internal names
   */
  Map<String, byte[]> lower(Map<String, byte[]> classes) {
    classes.forEach(this::lower);
    members.forEach(
        (host, names) ->
            lowered.computeIfPresent(host, (name, content) -> withMembers(content, names)));
    return lowered;
  }

  private void lower(String name, byte[] content) {
    int before = lowered.size();
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Host(writer), 0);
    lowered.put(name, lowered.size() == before ? content : writer.toByteArray());
  }

  private static byte[] withMembers(byte[] content, List<String> names) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(API, writer) {
          @Override
          public void visitEnd() {
            names.forEach(this::visitNestMember);
            super.visitEnd();
          }
        },
        0);
    return writer.toByteArray();
  }

  /** A class that may have lambdas. */
  private final class Host extends ClassVisitor {
    private String name = "";
    private String nest = "";
    private int version;
    private int count;

    Host(ClassVisitor next) {
      super(API, next);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String base,
        String @Nullable [] interfaces) {
      // Since Java 11 there are nests. What a class file means has not changed since Java 8.
      this.version = Math.max(version, Opcodes.V11);
      this.name = name;
      this.nest = name;
      super.visit(this.version, access, name, signature, base, interfaces);
    }

    @Override
    public void visitNestHost(String host) {
      nest = host;
      super.visitNestHost(host);
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
        public void visitInvokeDynamicInsn(
            String called, String factory, Handle bootstrap, Object... arguments) {
          if (!isLambda(bootstrap)) {
            super.visitInvokeDynamicInsn(called, factory, bootstrap, arguments);
            return;
          }
          LambdaClass made =
              new LambdaClass(
                  Host.this.name + "$$Lambda$" + count++,
                  Type.getMethodType(factory),
                  called,
                  (Type) arguments[0],
                  (Type) arguments[2],
                  (Handle) arguments[1]);
          lowered.put(made.name(), made.bytes(version, nest));
          members.computeIfAbsent(nest, host -> new ArrayList<>()).add(made.name());
          visitMethodInsn(Opcodes.INVOKESTATIC, made.name(), LambdaClass.FACTORY, factory, false);
        }
      };
    }
  }

  private static boolean isLambda(Handle bootstrap) {
    return bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")
        && bootstrap.getName().equals("metafactory");
  }
}
