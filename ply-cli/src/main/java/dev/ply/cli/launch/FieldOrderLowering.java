package dev.ply.cli.launch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has JNA's structures tell the order of their fields by a method, as they did before there was an
 * annotation for it. JNA makes one when it is loaded, and to read its annotation a runtime
 * generates classes: proxies, and since Java 18 what calls their constructors.
 */
final class FieldOrderLowering extends ClassRewriting {
  private static final String STRUCTURE = "com/sun/jna/Structure";
  private static final String ANNOTATION = "L" + STRUCTURE + "$FieldOrder;";
  private static final String METHOD = "getFieldOrder";
  private static final String DESCRIPTOR = "()Ljava/util/List;";
  private static final int STACK = 4;

  private final List<String> fields = new ArrayList<>();
  private boolean isStructure;
  private boolean hasMethod;

  FieldOrderLowering(ClassVisitor next) {
    super(next);
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String base,
      String @Nullable [] interfaces) {
    // Of a structure that extends another the annotations of both count.
    isStructure = STRUCTURE.equals(base);
    super.visit(version, access, name, signature, base, interfaces);
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
    if (isStructure && !fields.isEmpty() && !hasMethod) {
      change();
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
