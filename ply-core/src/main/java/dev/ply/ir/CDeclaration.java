package dev.ply.ir;

import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Enumerator;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeDefinition.Typedef;
import java.util.stream.Collectors;

/** Prints type definitions in C's syntax, on one line. */
public final class CDeclaration {
  private CDeclaration() {}

  /**
   * {@return a definition as scripts write it} Where {@code #pragma pack} limits the alignment of
   * members, the members say so.
   *
   * @param definition of a structure, union, enumeration or typedef
   */
  public static String of(TypeDefinition definition) {
    if (definition instanceof Struct struct) {
      return of(struct) + ";";
    }
    if (definition instanceof Typedef typedef) {
      return "typedef "
          + declared(typedef.type(), typedef.name())
          + aligned(typedef.alignment())
          + ";";
    }
    return of((Enumeration) definition) + ";";
  }

  private static String of(Enumeration enumeration) {
    return enumeration.enumerators().stream()
        .map(constant -> constant.name() + " = " + value(constant))
        .collect(
            Collectors.joining(
                ", ",
                "enum " + (enumeration.tag().isEmpty() ? "" : enumeration.tag() + " ") + "{ ",
                enumeration.bytes() < Integer.BYTES ? " } __attribute__((packed))" : " }"));
  }

  private static String value(Enumerator constant) {
    if (constant.isUnsigned()) {
      return Long.toUnsignedString(constant.value()) + "u";
    }
    return constant.value() == Long.MIN_VALUE
        ? "-" + Long.MAX_VALUE + " - 1"
        : "" + constant.value();
  }

  private static String of(Struct struct) {
    String packed = struct.packing().isPacked() ? " __attribute__((packed))" : "";
    int limit = struct.packing().limit();
    String text =
        struct.fields().stream()
            .map(CDeclaration::of)
            .collect(
                Collectors.joining(
                    " ",
                    struct.name() + " { ",
                    " }" + packed + aligned(struct.packing().alignment())));
    return limit == 0
        ? text
        : "_Pragma(\"pack(push, " + limit + ")\") " + text + " _Pragma(\"pack(pop)\")";
  }

  private static String aligned(int alignment) {
    return alignment == 0 ? "" : " __attribute__((aligned(" + alignment + ")))";
  }

  private static String of(Field field) {
    String lengths =
        field.dimensions().stream().map(length -> "[" + length + "]").collect(Collectors.joining());
    String bits = field.bits().isPresent() ? ":" + field.bits().getAsInt() : "";
    String packed = field.isPacked() ? " __attribute__((packed))" : "";
    return declared(field.type(), field.name() + lengths + bits)
        + packed
        + aligned(field.alignment())
        + ";";
  }

  /** Returns the declaration that a type and a declarator make. */
  private static String declared(FieldType type, String declarator) {
    if (type instanceof FieldType.Pointer pointer) {
      return declared(
          pointer.target(),
          pointer.target() instanceof FieldType.Array ? "(*" + declarator + ")" : "*" + declarator);
    }
    if (type instanceof FieldType.Array array) {
      return declared(array.element(), declarator + "[" + array.length() + "]");
    }
    String base =
        type instanceof FieldType.Named named
            ? named.name().text()
            : of(((FieldType.Nested) type).struct());
    boolean isJoined = declarator.isEmpty() || declarator.startsWith(":") || base.endsWith("*");
    return isJoined ? base + declarator : base + " " + declarator;
  }
}
