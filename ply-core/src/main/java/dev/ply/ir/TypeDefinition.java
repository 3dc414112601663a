package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A type that a script defines, as in C. */
public sealed interface TypeDefinition {
  /** {@return the source position} */
  SourceSpan span();

  /**
   * {@code struct tag { … }} or {@code union tag { … }}.
   *
   * @param tag empty if anonymous, for members only
   * @param isUnion whether its members share their memory
   * @param packing how its members are packed and how it is aligned
   * @param fields in the order of the source
   * @param recorded where a compiler has placed the members; empty if C's rules say it
   */
  record Struct(
      String tag,
      boolean isUnion,
      Packing packing,
      List<Field> fields,
      Optional<RecordedLayout> recorded,
      SourceSpan span)
      implements TypeDefinition {
    /** Copies the members. */
    public Struct {
      fields = List.copyOf(fields);
    }

    /**
     * Has its members where a compiler has placed them, if it has.
     *
     * @param tag empty if anonymous, for members only
     * @param isUnion whether its members share their memory
     * @param isPacked whether there is no padding
     * @param fields in the order of the source
     * @param recorded where a compiler has placed the members; empty if C's rules say it
     */
    public Struct(
        String tag,
        boolean isUnion,
        boolean isPacked,
        List<Field> fields,
        Optional<RecordedLayout> recorded,
        SourceSpan span) {
      this(tag, isUnion, isPacked ? Packing.PACKED : Packing.NATURAL, fields, recorded, span);
    }

    /**
     * Has its members where C's rules say.
     *
     * @param tag empty if anonymous, for members only
     * @param isUnion whether its members share their memory
     * @param isPacked whether there is no padding
     * @param fields in the order of the source
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
   * What attributes and {@code #pragma pack} say of a structure.
   *
   * @param isPacked whether its members have no alignment, {@code __attribute__((packed))}
   * @param limit the strictest alignment of a member in bytes, {@code #pragma pack(limit)}; 0 if
   *     there is none
   * @param alignment what the structure is at least aligned to, in bytes, {@code
   *     __attribute__((aligned))}; 0 if its members alone decide
   */
  record Packing(boolean isPacked, int limit, int alignment) {
    /** C's natural alignment. */
    public static final Packing NATURAL = new Packing(false, 0, 0);

    /** No padding. */
    public static final Packing PACKED = new Packing(true, 0, 0);
  }

  /**
   * The layout of a structure as debug information has it.
   *
   * @param places the first bit of each member, from the start of the structure
   * @param size in bytes
   * @param alignment in bytes
   */
  record RecordedLayout(List<Long> places, int size, int alignment) {
    /** Copies the places. */
    public RecordedLayout {
      places = List.copyOf(places);
    }
  }

  /**
   * {@code enum tag { A, B = 5 }}.
   *
   * @param tag its name; empty if anonymous
   * @param enumerators in the order of the source
   * @param bytes its size: 1, 2, 4 or 8
   */
  record Enumeration(String tag, List<Enumerator> enumerators, int bytes, SourceSpan span)
      implements TypeDefinition {
    /** Copies the enumerators. */
    public Enumeration {
      enumerators = List.copyOf(enumerators);
    }

    /** {@return whether a constant is negative} */
    public boolean isSigned() {
      return enumerators.stream().anyMatch(one -> one.value() < 0 && !one.isUnsigned());
    }
  }

  /**
   * {@code typedef type name;}.
   *
   * @param name that the type gets
   * @param type that it names
   * @param alignment of the name's type in bytes, which can be less than that of {@code type}; 0 if
   *     it is the same
   */
  record Typedef(String name, FieldType type, int alignment, SourceSpan span)
      implements TypeDefinition {}

  /**
   * A constant of an enumeration.
   *
   * @param name known in the whole script
   * @param value as given, or one more than that of the enumerator before
   * @param isUnsigned whether the value is one of unsigned 64 bits
   */
  record Enumerator(String name, long value, boolean isUnsigned) {}

  /**
   * A member of a structure.
   *
   * @param name empty for an anonymous structure, whose members belong to the outer one
   * @param type of the member, or of an array's elements
   * @param dimensions lengths of arrays, outermost first; empty for a single value
   * @param bits the width of a bit-field
   * @param isPacked whether it has no alignment, {@code __attribute__((packed))}
   * @param alignment what it is at least aligned to, in bytes; 0 if its type alone decides
   */
  record Field(
      String name,
      FieldType type,
      List<Integer> dimensions,
      OptionalInt bits,
      boolean isPacked,
      int alignment) {
    /** Copies the dimensions. */
    public Field {
      dimensions = List.copyOf(dimensions);
    }

    /**
     * Has the alignment of its type.
     *
     * @param name empty for an anonymous structure, whose members belong to the outer one
     * @param type of the member, or of an array's elements
     * @param dimensions lengths of arrays, outermost first; empty for a single value
     * @param bits the width of a bit-field
     */
    public Field(String name, FieldType type, List<Integer> dimensions, OptionalInt bits) {
      this(name, type, dimensions, bits, false, 0);
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

    /**
     * A pointer to what has no name: {@code int (*p)[4]}.
     *
     * @param target what it points to
     */
    record Pointer(FieldType target) implements FieldType {}

    /**
     * An array that another type is made of.
     *
     * @param length the number of its elements
     */
    record Array(FieldType element, int length) implements FieldType {}
  }
}
