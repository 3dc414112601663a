package dev.ply.cli.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has JNA's structures tell the order of their fields by a method, as they did before there was an
 * annotation for it. JNA makes one when it is loaded, and to read its annotation a runtime
 * generates classes: proxies, and since Java 18 what calls their constructors.
 */
final class FieldOrderLowering {
  private static final int API = Opcodes.ASM9;
  private static final String STRUCTURE = "com/sun/jna/Structure";
  private static final String ANNOTATION = "L" + STRUCTURE + "$FieldOrder;";
  private static final String METHOD = "getFieldOrder";
  private static final String DESCRIPTOR = "()Ljava/util/List;";
  private static final int STACK = 4;

  private FieldOrderLowering() {}

  /**
   * Returns the classes as they are then; those that are no annotated structures are the same.
   *
   * @param classes by their internal names
   */
  static Map<String, byte[]> lower(Map<String, byte[]> classes) {
    Map<String, byte[]> lowered = new LinkedHashMap<>();
    classes.forEach((name, content) -> lowered.put(name, lower(content)));
    return lowered;
  }

  private static byte[] lower(byte[] content) {
    ClassReader reader = new ClassReader(content);
    // Of a structure that extends another the annotations of both count.
    if (!STRUCTURE.equals(reader.getSuperName())) {
      return content;
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    Lowering lowering = new Lowering(writer);
    reader.accept(lowering, 0);
    return lowering.changed ? writer.toByteArray() : content;
  }

  private static final class Lowering extends ClassVisitor {
    private final List<String> fields = new ArrayList<>();
    private boolean hasMethod;
    private boolean changed;

    Lowering(ClassVisitor next) {
      super(API, next);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      AnnotationVisitor next = super.visitAnnotation(descriptor, visible);
      return descriptor.equals(ANNOTATION) ? new Names(next) : next;
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      hasMethod |= name.equals(METHOD);
      return super.visitMethod(access, name, descriptor, signature, exceptions);
    }

    @Override
    public void visitEnd() {
      if (!fields.isEmpty() && !hasMethod) {
        changed = true;
        MethodVisitor method =
            super.visitMethod(Opcodes.ACC_PROTECTED, METHOD, DESCRIPTOR, null, null);
        method.visitCode();
        method.visitIntInsn(Opcodes.SIPUSH, fields.size());
        method.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/String");
        for (int i = 0; i < fields.size(); i++) {
          method.visitInsn(Opcodes.DUP);
          method.visitIntInsn(Opcodes.SIPUSH, i);
          method.visitLdcInsn(fields.get(i));
          method.visitInsn(Opcodes.AASTORE);
        }
        method.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            "java/util/Arrays",
            "asList",
            "([Ljava/lang/Object;)Ljava/util/List;",
            false);
        method.visitInsn(Opcodes.ARETURN);
        method.visitMaxs(STACK, 1);
        method.visitEnd();
      }
      super.visitEnd();
    }

    /** Sees the annotation's list of names. */
    private final class Names extends AnnotationVisitor {
      Names(AnnotationVisitor next) {
        super(API, next);
      }

      @Override
      public AnnotationVisitor visitArray(String name) {
        return new Names(super.visitArray(name));
      }

      @Override
      public void visit(String name, Object value) {
        fields.add((String) value);
        super.visit(name, value);
      }
    }
  }
}
