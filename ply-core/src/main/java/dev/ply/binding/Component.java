package dev.ply.binding;

import java.lang.invoke.MethodType;

/**
 * A component of a record that takes one value.
 *
 * @param index of the value, counted from 0
 * @param path its name, after those of the components whose records it is in: {@code from.port}
 */
public record Component(int index, String path, Class<?> type) {
  /** Returns what the component is decoded to. */
  public ComponentKind kind() {
    return ComponentKind.of(type);
  }

  /** Returns the name in its own record. */
  public String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Returns the type, without its box. */
  public Class<?> primitive() {
    return MethodType.methodType(type).unwrap().returnType();
  }

  /** Returns the numbers of an enum's constants. */
  public EnumNumbers<?> numbers() {
    return EnumNumbers.of(type);
  }

  /** Returns {@code component "path" (String)}. */
  @Override
  public String toString() {
    return "component \"" + path + "\" (" + type.getSimpleName() + ")";
  }
}
