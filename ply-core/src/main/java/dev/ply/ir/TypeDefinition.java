package dev.ply.ir;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A type that a script defines, as in C. */
public sealed interface TypeDefinition {
  /** {@return the source position} */
  SourceSpan span();

  /**
   * {@code struct tag { … }} or {@code union tag { … }}, with C's natural alignment.
   *
   * @param tag empty if anonymous, for members only
   * @param isUnion whether its members share their memory
   * @param isPacked whether there is no padding
   * @param fields in the order of the source
   * @param recorded where a compiler has placed the members; empty if C's rules say it
   * @param span its position in the source
   */
  record Struct(
      String tag,
      boolean isUnion,
      boolean isPacked,
      List<Field> fields,
      Optional<RecordedLayout> recorded,
      SourceSpan span)
      implements TypeDefinition {
    /**
     * Copies the members.
     *
     * @param tag empty if anonymous, for members only
     * @param isUnion whether its members share their memory
     * @param isPacked whether there is no padding
     * @param fields in the order of the source
     * @param recorded where a compiler has placed the members; empty if C's rules say it
     * @param span its position in the source
     */
    public Struct {
      fields = List.copyOf(fields);
    }

    /**
     * Has its members where C's rules say.
     *
     * @param tag empty if anonymous, for members only
     * @param isUnion whether its members share their memory
     * @param isPacked whether there is no padding
     * @param fields in the order of the source
     * @param span its position in the source
     */
    public Struct(
        String tag, boolean isUnion, boolean isPacked, List<Field> fields, SourceSpan span) {
      this(tag, isUnion, isPacked, fields, Optional.empty(), span);
    }

    /** {@return the name as scripts write it} */
    public String name() {
      return (isUnion ? "union" : "struct") + (tag.isEmpty() ? "" : " " + tag);
    }
  }

  /**
   * The layout of a structure as debug information has it.
   *
   * @param places the first bit of each member, from the start of the structure
   * @param size in bytes
   * @param alignment in bytes
   */
  record RecordedLayout(List<Long> places, int size, int alignment) {
    /**
     * Copies the places.
     *
     * @param places the first bit of each member, from the start of the structure
     * @param size in bytes
     * @param alignment in bytes
     */
    public RecordedLayout {
      places = List.copyOf(places);
    }
  }

  /**
   * {@code enum tag { A, B = 5 }}.
   *
   * @param tag its name; empty if anonymous
   * @param enumerators in the order of the source
   * @param span its position in the source
   */
  record Enumeration(String tag, List<Enumerator> enumerators, SourceSpan span)
      implements TypeDefinition {
    /**
     * Copies the enumerators.
     *
     * @param tag its name; empty if anonymous
     * @param enumerators in the order of the source
     * @param span its position in the source
     */
    public Enumeration {
      enumerators = List.copyOf(enumerators);
    }
  }

  /**
   * A constant of an enumeration.
   *
   * @param name known in the whole script
   * @param value as given, or one more than that of the enumerator before
   */
  record Enumerator(String name, long value) {}

  /**
   * A member of a structure.
   *
   * @param name empty for an anonymous structure, whose members belong to the outer one
   * @param type of the member, or of an array's elements
   * @param dimensions lengths of arrays, outermost first; empty for a single value
   * @param bits the width of a bit-field
   */
  record Field(String name, FieldType type, List<Integer> dimensions, OptionalInt bits) {
    /**
     * Copies the dimensions.
     *
     * @param name empty for an anonymous structure, whose members belong to the outer one
     * @param type of the member, or of an array's elements
     * @param dimensions lengths of arrays, outermost first; empty for a single value
     * @param bits the width of a bit-field
     */
    public Field {
      dimensions = List.copyOf(dimensions);
    }
  }

  /** The type of a member, or of the elements of its array. */
  sealed interface FieldType {
    /**
     * A type by its name.
     *
     * @param name of an integer, structure, union, enumeration or typedef
     */
    record Named(TypeName name) implements FieldType {}

    /**
     * A structure defined inside another.
     *
     * @param struct its definition
     */
    record Nested(Struct struct) implements FieldType {}
  }
}
