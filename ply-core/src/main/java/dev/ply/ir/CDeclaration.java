package dev.ply.ir;

import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import java.util.stream.Collectors;

/** Prints type definitions in C's syntax, on one line. */
public final class CDeclaration {
  private CDeclaration() {}

  /**
   * {@return a definition as scripts write it}
   *
   * @param definition of a structure, union or enumeration
   */
  public static String of(TypeDefinition definition) {
    return definition instanceof Struct struct
        ? of(struct) + ";"
        : of((Enumeration) definition) + ";";
  }

  private static String of(Enumeration enumeration) {
    return enumeration.enumerators().stream()
        .map(constant -> constant.name() + " = " + constant.value())
        .collect(
            Collectors.joining(
                ", ",
                "enum " + (enumeration.tag().isEmpty() ? "" : enumeration.tag() + " ") + "{ ",
                " }"));
  }

  private static String of(Struct struct) {
    return struct.fields().stream()
        .map(CDeclaration::of)
        .collect(
            Collectors.joining(
                " ",
                struct.name() + " { ",
                " }" + (struct.isPacked() ? " __attribute__((packed))" : "")));
  }

  private static String of(Field field) {
    String type =
        field.type() instanceof FieldType.Named named
            ? named.name().text()
            : of(((FieldType.Nested) field.type()).struct());
    String name = field.name().isEmpty() || type.endsWith("*") ? field.name() : " " + field.name();
    String lengths =
        field.dimensions().stream().map(length -> "[" + length + "]").collect(Collectors.joining());
    String bits = field.bits().isPresent() ? ":" + field.bits().getAsInt() : "";
    return type + name + lengths + bits + ";";
  }
}
