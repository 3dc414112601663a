package dev.ply.build;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Gives records an {@code equals} and a {@code hashCode} of plain code instead of those that a
 * runtime links when they are first called ({@code java.lang.runtime.ObjectMethods}): the first key
 * of a map starts all of {@code java.lang.invoke}. They do the same as those. {@code toString}
 * stays: only errors show it.
 */
final class RecordLowering extends ClassRewriting {
  private static final String BOOTSTRAP = "java/lang/runtime/ObjectMethods";
  private static final String OBJECTS = "java/util/Objects";

  /** The most that stands on the stack: a sum, and two numbers of two words. */
  private static final int DEEPEST = 5;

  private static final int ARGUMENTS = 2;

  private final List<Consumer<ClassVisitor>> methods = new ArrayList<>();

  RecordLowering(ClassVisitor next) {
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
      public void visitInvokeDynamicInsn(
          String called, String type, Handle bootstrap, Object... arguments) {
        if (!bootstrap.getOwner().equals(BOOTSTRAP) || called.equals("toString")) {
          super.visitInvokeDynamicInsn(called, type, bootstrap, arguments);
          return;
        }
        Type owner = (Type) arguments[0];
        List<Handle> fields = new ArrayList<>();
        for (int i = ARGUMENTS; i < arguments.length; i++) {
          fields.add((Handle) arguments[i]);
        }
        change();
        String name = called + "$";
        methods.add(
            next ->
                write(
                    next.visitMethod(
                        Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                        name,
                        type,
                        null,
                        null),
                    called,
                    owner,
                    fields));
        visitMethodInsn(Opcodes.INVOKESTATIC, owner.getInternalName(), name, type, false);
      }
    };
  }

  @Override
  public void visitEnd() {
    methods.forEach(method -> method.accept(cv));
    super.visitEnd();
  }

  private static void write(MethodVisitor code, String method, Type owner, List<Handle> fields) {
    code.visitCode();
    if (method.equals("hashCode")) {
      writeHashCode(code, fields);
    } else {
      writeEquals(code, owner, fields);
    }
    code.visitMaxs(DEEPEST, ARGUMENTS);
    code.visitEnd();
  }

  private static void writeHashCode(MethodVisitor code, List<Handle> fields) {
    code.visitInsn(Opcodes.ICONST_0);
    for (Handle field : fields) {
      code.visitIntInsn(Opcodes.BIPUSH, 31);
      code.visitInsn(Opcodes.IMUL);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      get(code, field);
      Type type = Type.getType(field.getDesc());
      String parameter = isReference(type) ? "Ljava/lang/Object;" : type.getDescriptor();
      String holder = isReference(type) ? OBJECTS : wrapper(type);
      call(code, holder, "hashCode", "(" + parameter + ")I");
      code.visitInsn(Opcodes.IADD);
    }
    code.visitInsn(Opcodes.IRETURN);
  }

  private static void writeEquals(MethodVisitor code, Type owner, List<Handle> fields) {
    Label differ = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitTypeInsn(Opcodes.INSTANCEOF, owner.getInternalName());
    code.visitJumpInsn(Opcodes.IFEQ, differ);
    for (Handle field : fields) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      get(code, field);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitTypeInsn(Opcodes.CHECKCAST, owner.getInternalName());
      get(code, field);
      Type type = Type.getType(field.getDesc());
      if (isReference(type)) {
        call(code, OBJECTS, "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
        code.visitJumpInsn(Opcodes.IFEQ, differ);
      } else {
        String own = type.getDescriptor();
        call(code, wrapper(type), "compare", "(" + own + own + ")I");
        code.visitJumpInsn(Opcodes.IFNE, differ);
      }
    }
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(differ);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitInsn(Opcodes.IRETURN);
  }

  private static void get(MethodVisitor code, Handle field) {
    code.visitFieldInsn(Opcodes.GETFIELD, field.getOwner(), field.getName(), field.getDesc());
  }

  private static void call(MethodVisitor code, String owner, String name, String type) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, type, false);
  }

  private static boolean isReference(Type type) {
    return type.getSort() >= Type.ARRAY;
  }

  private static String wrapper(Type type) {
    return "java/lang/"
        + switch (type.getSort()) {
          case Type.BOOLEAN -> "Boolean";
          case Type.CHAR -> "Character";
          case Type.BYTE -> "Byte";
          case Type.SHORT -> "Short";
          case Type.INT -> "Integer";
          case Type.FLOAT -> "Float";
          case Type.LONG -> "Long";
          case Type.DOUBLE -> "Double";
          default -> throw new IllegalArgumentException(type + " is no type of a field");
        };
  }
}
