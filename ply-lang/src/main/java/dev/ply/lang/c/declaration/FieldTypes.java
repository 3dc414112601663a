package dev.ply.lang.c.declaration;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.CDeclaration;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Typedef;
import dev.ply.ir.TypeName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Types that others lead to, and types as C has them. */
final class FieldTypes {
  private FieldTypes() {}

  /** Returns the type of pointers to a type. */
  static FieldType pointerTo(FieldType type) {
    return type instanceof FieldType.Named named
        ? new FieldType.Named(new TypeName(named.name().base(), named.name().pointers() + 1))
        : new FieldType.Pointer(type);
  }

  /** Returns the type of all of a member. */
  static FieldType whole(Field field) {
    FieldType type = field.type();
    for (int i = field.dimensions().size() - 1; i >= 0; i--) {
      type = new FieldType.Array(type, field.dimensions().get(i));
    }
    return type;
  }

  /** Returns an element of a member that is an array. */
  static Optional<Field> element(Field field) {
    if (!field.dimensions().isEmpty()) {
      List<Integer> rest = field.dimensions().subList(1, field.dimensions().size());
      return Optional.of(new Field(field.name(), field.type(), rest, OptionalInt.empty()));
    }
    return target(field.type())
        .map(type -> new Field(field.name(), type, List.of(), OptionalInt.empty()));
  }

  /** Returns what a pointer or array leads to. */
  static Optional<FieldType> target(FieldType type) {
    if (type instanceof FieldType.Named named && named.name().pointers() > 0) {
      TypeName name = named.name();
      return Optional.of(new FieldType.Named(new TypeName(name.base(), name.pointers() - 1)));
    }
    if (type instanceof FieldType.Pointer pointer) {
      return Optional.of(pointer.target());
    }
    return type instanceof FieldType.Array array ? Optional.of(array.element()) : Optional.empty();
  }

  /** Returns a type as C has it. */
  static String text(FieldType type) {
    String text = CDeclaration.of(new Typedef("", type, 0, SourceSpan.NONE));
    return text.substring("typedef ".length(), text.length() - 1).strip();
  }
}
