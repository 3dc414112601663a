package dev.ply.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What a class names is used, however it names it. */
class UsedClassesTest {
  private final Map<String, byte[]> classes =
      Map.of(
          "a/Main", file("a/Main", "a/Parent", "(La/Argument;)V", "a.ByName"),
          "a/Parent", file("a/Parent", "java/lang/Object", "()V", "nothing"),
          "a/Argument", file("a/Argument", "a/Grandparent", "()V", "nothing"),
          "a/Grandparent", file("a/Grandparent", "java/lang/Object", "()La/Main;", "nothing"),
          "a/ByName", file("a/ByName", "java/lang/Object", "()V", "nothing"),
          "a/Unused", file("a/Unused", "a/Main", "()V", "a.Other"),
          "a/Other", file("a/Other", "java/lang/Object", "()V", "nothing"));

  @Test
  void whatIsNamedByUsedClassesIsUsed() throws Exception {
    assertThat(UsedClasses.of(classes, List.of("a/Main")))
        .containsExactly("a/Argument", "a/ByName", "a/Grandparent", "a/Main", "a/Parent");
  }

  @Test
  void eachRootIsUsed() throws Exception {
    assertThat(UsedClasses.of(classes, List.of("a/Other", "a/ByName")))
        .containsExactly("a/ByName", "a/Other");
  }

  /** A class with an abstract method and a constant of two places. */
  private static byte[] file(String name, String parent, String descriptor, String text) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_ABSTRACT, name, null, parent, new String[0]);
    writer.visitField(Opcodes.ACC_STATIC, "number", "J", null, 1L << 40).visitEnd();
    writer.visitField(Opcodes.ACC_STATIC, "text", "Ljava/lang/String;", null, text).visitEnd();
    MethodVisitor method =
        writer.visitMethod(Opcodes.ACC_ABSTRACT, "method", descriptor, null, new String[0]);
    method.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
