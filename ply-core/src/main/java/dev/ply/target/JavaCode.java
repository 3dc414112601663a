package dev.ply.target;

import java.util.Optional;

/**
 * What a Java runtime tells of the code of a frame.
 *
 * @param tier who made the code
 * @param method the method; empty for a stub
 */
public record JavaCode(Tier tier, Optional<Method> method) {
  /** Who made code that a Java runtime runs. */
  public enum Tier {
    /** The interpreter runs the method. */
    INTERPRETED,
    /** The compiler C1 made it, which is fast and optimises little. */
    C1,
    /** The compiler C2 made it, or another one of the highest level. */
    C2,
    /** The frame's function was inlined by a compiler into that of the next frame. */
    INLINED,
    /** A transition to a native method. */
    NATIVE,
    /** Unknown, as a stack by function adds up stacks whose code may differ. */
    ANY,
    /** The runtime itself generated it. */
    STUB
  }

  /**
   * A method.
   *
   * @param type the class, {@code java.util.List}
   * @param name the name, {@code <init>} for a constructor
   * @param descriptor the types of parameters and result, {@code (Ljava/lang/String;)V} (Java
   *     Virtual Machine Specification, 4.3.3)
   */
  public record Method(String type, String name, String descriptor) {
    private static final String PRIMITIVES = "BCDFIJSZV";
    private static final String[] KEYWORDS = {
      "byte", "char", "double", "float", "int", "long", "short", "boolean", "void"
    };

    /** Returns {@code java.util.List.get(int)}. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(type).append('.').append(name).append('(');
      int at = 1;
      while (at < descriptor.length() && descriptor.charAt(at) != ')') {
        text.append(at == 1 ? "" : ", ");
        at = appendType(text, at);
      }
      return text.append(')').toString();
    }

    /** Appends a type, and returns where the next begins. */
    private int appendType(StringBuilder text, int start) {
      int at = start;
      while (at < descriptor.length() && descriptor.charAt(at) == '[') {
        at++;
      }
      String dimensions = "[]".repeat(Math.min(at - start, 255));
      if (at >= descriptor.length()) {
        return at;
      }
      int primitive = PRIMITIVES.indexOf(descriptor.charAt(at));
      int end = descriptor.indexOf(';', at);
      if (primitive >= 0) {
        text.append(KEYWORDS[primitive]).append(dimensions);
        return at + 1;
      }
      if (end < 0) {
        text.append(descriptor, at, descriptor.length());
        return descriptor.length();
      }
      text.append(descriptor.substring(at + 1, end).replace('/', '.')).append(dimensions);
      return end + 1;
    }
  }
}
