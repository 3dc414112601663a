package dev.ply.build;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** A way to rewrite classes, each by itself. It sees one, and passes on what it shall be. */
abstract class ClassRewriting extends ClassVisitor {
  static final int API = Opcodes.ASM9;

  private boolean changed;

  ClassRewriting(ClassVisitor next) {
    super(API, next);
  }

  /** Notes that the class is not what it was. */
  final void change() {
    changed = true;
  }

  /**
   * Returns the classes as they are then; those that this way does not change are the same.
   *
   * @param classes by their internal names
   */
  static Map<String, byte[]> apply(
      Function<ClassVisitor, ClassRewriting> way, Map<String, byte[]> classes) {
    Map<String, byte[]> rewritten = new LinkedHashMap<>();
    classes.forEach((name, content) -> rewritten.put(name, apply(way, content)));
    return rewritten;
  }

  private static byte[] apply(Function<ClassVisitor, ClassRewriting> way, byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(reader, 0);
    ClassRewriting rewriting = way.apply(writer);
    reader.accept(rewriting, 0);
    return rewriting.changed ? writer.toByteArray() : content;
  }
}
