package dev.ply.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * The class that stands for one lambda, as {@code java.lang.invoke.LambdaMetafactory} describes it.
 * Who captures nothing is made once.
 *
 * @param name internal
 * @param factory from what is captured to the interface
 * @param called the interface's method
 * @param erased that method's type as it is declared
 * @param actual the same with what is known of type variables here
 * @param body what the lambda does
 */
record LambdaClass(
    String name, Type factory, String called, Type erased, Type actual, Handle body) {
  /** The name of the static method that gives an instance, of the type {@code factory}. */
  static final String FACTORY = "get";

  private static final Type OBJECT = Type.getType(Object.class);
  private static final String ONLY = "ONLY";

  /** What wrappers of numbers hold; they may be widened then. */
  private static final Map<Type, Type> HELD =
      Map.of(
          Type.getType(Byte.class), Type.BYTE_TYPE,
          Type.getType(Short.class), Type.SHORT_TYPE,
          Type.getType(Character.class), Type.CHAR_TYPE,
          Type.getType(Integer.class), Type.INT_TYPE,
          Type.getType(Long.class), Type.LONG_TYPE,
          Type.getType(Float.class), Type.FLOAT_TYPE,
          Type.getType(Double.class), Type.DOUBLE_TYPE,
          Type.getType(Boolean.class), Type.BOOLEAN_TYPE);

  /**
   * Returns the class file.
   *
   * @param version of the class file, 11 or later
   * @param nest the class whose private members it may use, which has to name it as a member
   */
  byte[] bytes(int version, String nest) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        version,
        Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC,
        name,
        null,
        OBJECT.getInternalName(),
        new String[] {factory.getReturnType().getInternalName()});
    writer.visitNestHost(nest);
    writeConstructor(writer);
    writeFactory(writer);
    writeCall(writer);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private Type type() {
    return Type.getObjectType(name);
  }

  private Method constructor() {
    return new Method("<init>", Type.VOID_TYPE, factory.getArgumentTypes());
  }

  private static String captured(int index) {
    return "captured" + index;
  }

  private void writeConstructor(ClassWriter writer) {
    GeneratorAdapter code = new GeneratorAdapter(0, constructor(), null, null, writer);
    code.loadThis();
    code.invokeConstructor(OBJECT, new Method("<init>", "()V"));
    Type[] types = factory.getArgumentTypes();
    for (int i = 0; i < types.length; i++) {
      int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
      writer.visitField(access, captured(i), types[i].getDescriptor(), null, null).visitEnd();
      code.loadThis();
      code.loadArg(i);
      code.putField(type(), captured(i), types[i]);
    }
    end(code);
  }

  private void writeFactory(ClassWriter writer) {
    Method method = new Method(FACTORY, factory.getDescriptor());
    GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_STATIC, method, null, null, writer);
    if (factory.getArgumentTypes().length > 0) {
      code.newInstance(type());
      code.dup();
      code.loadArgs();
      code.invokeConstructor(type(), constructor());
      end(code);
      return;
    }
    code.getStatic(type(), ONLY, type());
    end(code);
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
    writer.visitField(access, ONLY, type().getDescriptor(), null, null).visitEnd();
    Method initializer = new Method("<clinit>", "()V");
    code = new GeneratorAdapter(Opcodes.ACC_STATIC, initializer, null, null, writer);
    code.newInstance(type());
    code.dup();
    code.invokeConstructor(type(), constructor());
    code.putStatic(type(), ONLY, type());
    end(code);
  }

  private void writeCall(ClassWriter writer) {
    Method method = new Method(called, erased.getDescriptor());
    GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PUBLIC, method, null, null, writer);
    Type owner = Type.getObjectType(body.getOwner());
    List<Type> wanted = new ArrayList<>();
    if (isConstructor()) {
      code.newInstance(owner);
      code.dup();
    } else if (body.getTag() != Opcodes.H_INVOKESTATIC) {
      wanted.add(owner);
    }
    wanted.addAll(List.of(Type.getArgumentTypes(body.getDesc())));
    Type[] captures = factory.getArgumentTypes();
    for (int i = 0; i < captures.length; i++) {
      code.loadThis();
      code.getField(type(), captured(i), captures[i]);
    }
    for (int i = 0; i < erased.getArgumentTypes().length; i++) {
      code.loadArg(i);
      Type known = narrow(code, erased.getArgumentTypes()[i], actual.getArgumentTypes()[i]);
      convert(code, known, wanted.get(captures.length + i));
    }
    code.visitMethodInsn(
        opcode(), body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    returnResult(code, isConstructor() ? owner : Type.getReturnType(body.getDesc()));
    end(code);
  }

  private boolean isConstructor() {
    return body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
  }

  /** Members of a nest call each other's private methods as they do others. */
  private int opcode() {
    return switch (body.getTag()) {
      case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
      case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
      default -> body.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
    };
  }

  private void returnResult(GeneratorAdapter code, Type result) {
    if (!erased.getReturnType().equals(Type.VOID_TYPE)) {
      convert(code, result, actual.getReturnType());
      convert(code, actual.getReturnType(), erased.getReturnType());
    } else if (result.getSize() == 2) {
      code.pop2();
    } else if (result.getSize() == 1) {
      code.pop();
    }
  }

  private static Type narrow(GeneratorAdapter code, Type type, Type known) {
    if (!isPrimitive(type)) {
      code.checkCast(known);
    }
    return known;
  }

  /** Makes of the value on the stack one of another type: boxed, unboxed, widened. */
  private static void convert(GeneratorAdapter code, Type type, Type wanted) {
    if (type.equals(wanted)) {
      return;
    }
    if (isPrimitive(type) && isPrimitive(wanted)) {
      code.cast(type, wanted);
    } else if (isPrimitive(type)) {
      code.valueOf(type);
    } else if (isPrimitive(wanted)) {
      Type held = HELD.getOrDefault(type, wanted);
      code.unbox(held);
      code.cast(held, wanted);
    } else {
      code.checkCast(wanted);
    }
  }

  private static boolean isPrimitive(Type type) {
    return type.getSort() < Type.ARRAY;
  }

  private static void end(GeneratorAdapter code) {
    code.returnValue();
    code.endMethod();
  }
}
