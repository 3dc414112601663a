package dev.ply.ir;

import java.util.List;
import java.util.OptionalInt;

/** A type that a script defines, as in C. */
public sealed interface TypeDefinition {
  /** Returns the source position. */
  SourceSpan span();

  /**
   * {@code struct tag { … }} or {@code union tag { … }}, with C's natural alignment.
   *
   * @param tag empty if anonymous, for members only
   * @param isPacked whether there is no padding
   */
  record Struct(String tag, boolean isUnion, boolean isPacked, List<Field> fields, SourceSpan span)
      implements TypeDefinition {
    public Struct {
      fields = List.copyOf(fields);
    }

    /** Returns the name as scripts write it. */
    public String name() {
      return (isUnion ? "union" : "struct") + (tag.isEmpty() ? "" : " " + tag);
    }
  }

  /** {@code enum tag { A, B = 5 }}. */
  record Enumeration(String tag, List<Enumerator> enumerators, SourceSpan span)
      implements TypeDefinition {
    public Enumeration {
      enumerators = List.copyOf(enumerators);
    }
  }

  /** A constant of an enumeration. */
  record Enumerator(String name, long value) {}

  /**
   * A member of a structure.
   *
   * @param name empty for an anonymous structure, whose members belong to the outer one
   * @param dimensions lengths of arrays, outermost first; empty for a single value
   * @param bits the width of a bit-field
   */
  record Field(String name, FieldType type, List<Integer> dimensions, OptionalInt bits) {
    public Field {
      dimensions = List.copyOf(dimensions);
    }
  }

  /** The type of a member, or of the elements of its array. */
  sealed interface FieldType {
    /** A type by its name. */
    record Named(TypeName name) implements FieldType {}

    /** A structure defined inside another. */
    record Nested(Struct struct) implements FieldType {}
  }
}
