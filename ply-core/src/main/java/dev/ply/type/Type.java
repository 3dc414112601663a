package dev.ply.type;

import java.util.List;
import java.util.Optional;

/** The type of a value: its layout in memory and its print format. */
public sealed interface Type {
  /** Returns the size of a value in bytes. */
  int size();

  /** Returns the alignment in bytes, a power of two. */
  int alignment();

  /** Returns whether values fit a register: integers and addresses. */
  default boolean isScalar() {
    return this instanceof IntType || this instanceof PointerType;
  }

  /** Returns whether values are strings: arrays of characters. */
  default boolean isText() {
    return this instanceof ArrayType array && array.element().equals(IntType.CHAR);
  }

  /** Returns the name for diagnostics. */
  String name();

  /** Returns the name with its article, for diagnostics. */
  default String withArticle() {
    return (name().matches("s(8|16|32|64).*") ? "an " : "a ") + name();
  }

  /**
   * An integer.
   *
   * @param bytes 1, 2, 4 or 8
   * @param format the default print format
   */
  record IntType(int bytes, Signedness signedness, IntFormat format) implements Type {
    /** C's char, signed as on x86. */
    public static final IntType CHAR = new IntType(1, Signedness.SIGNED, IntFormat.CHARACTER);

    /** 8 bits, signed. */
    public static final IntType S8 = new IntType(1, Signedness.SIGNED, IntFormat.DECIMAL);

    /** 8 bits, unsigned. */
    public static final IntType U8 = new IntType(1, Signedness.UNSIGNED, IntFormat.DECIMAL);

    /** 16 bits, signed. */
    public static final IntType S16 = new IntType(2, Signedness.SIGNED, IntFormat.DECIMAL);

    /** 16 bits, unsigned. */
    public static final IntType U16 = new IntType(2, Signedness.UNSIGNED, IntFormat.DECIMAL);

    /** 32 bits, signed: C's int. */
    public static final IntType S32 = new IntType(4, Signedness.SIGNED, IntFormat.DECIMAL);

    /** 32 bits, unsigned. */
    public static final IntType U32 = new IntType(4, Signedness.UNSIGNED, IntFormat.DECIMAL);

    /** 64 bits, signed. */
    public static final IntType S64 = new IntType(8, Signedness.SIGNED, IntFormat.DECIMAL);

    /** 64 bits, unsigned. */
    public static final IntType U64 = new IntType(8, Signedness.UNSIGNED, IntFormat.DECIMAL);

    public IntType {
      if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        throw new IllegalArgumentException("integers have 1, 2, 4 or 8 bytes, not " + bytes);
      }
    }

    /** Returns the integer type of a size, printed in decimal. */
    public static IntType of(int bytes, Signedness signedness) {
      return new IntType(bytes, signedness, IntFormat.DECIMAL);
    }

    /** Returns whether values are signed. */
    public boolean isSigned() {
      return signedness == Signedness.SIGNED;
    }

    /** Returns this type with another print format. */
    public IntType printedAs(IntFormat format) {
      return new IntType(bytes, signedness, format);
    }

    @Override
    public int size() {
      return bytes;
    }

    @Override
    public int alignment() {
      return bytes;
    }

    @Override
    public String name() {
      return format.typeName().orElseGet(() -> (isSigned() ? "s" : "u") + bytes * 8);
    }
  }

  /**
   * An array; one of {@link IntType#CHAR} is a string of at most {@code length - 1} bytes and its
   * NUL.
   *
   * @param marksCut whether the last byte is {@link #CUT} instead of the NUL if the string was
   *     longer where it was read
   */
  record ArrayType(Type element, int length, boolean marksCut) implements Type {
    /** The last byte of a string that was cut. */
    public static final byte CUT = 1;

    /** Creates the type of an array whose strings do not tell whether they were cut. */
    public ArrayType(Type element, int length) {
      this(element, length, false);
    }

    /** Returns the type of strings of {@code bytes} bytes including the NUL. */
    public static ArrayType chars(int bytes) {
      return new ArrayType(IntType.CHAR, bytes);
    }

    /** Returns the type of strings that tell whether they were cut, with the NUL's place. */
    public static ArrayType readChars(int bytes) {
      return new ArrayType(IntType.CHAR, bytes, true);
    }

    @Override
    public int size() {
      return element.size() * length;
    }

    /**
     * Strings whose size is a multiple of 8 are aligned to 8, to be copied and compared by
     * doublewords.
     */
    @Override
    public int alignment() {
      return isText() && length % 8 == 0 ? 8 : element.alignment();
    }

    @Override
    public String name() {
      return element.name() + "[" + length + "]";
    }
  }

  /** An address. */
  record PointerType(Type target, AddressSpace space) implements Type {
    @Override
    public int size() {
      return 8;
    }

    @Override
    public int alignment() {
      return 8;
    }

    @Override
    public String name() {
      return target.name() + " *";
    }
  }

  /**
   * A structure.
   *
   * @param tag its name, empty for the anonymous structures of map keys
   * @param size including tail padding
   */
  record StructType(String tag, List<StructField> fields, int size, int alignment) implements Type {
    public StructType {
      fields = List.copyOf(fields);
    }

    /** Returns the field of this name. */
    public Optional<StructField> field(String name) {
      return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** Lays out fields with C's natural alignment, named f0, f1, …. */
    public static StructType ofKeyParts(List<Type> parts) {
      int offset = 0;
      int alignment = 1;
      var fields = new java.util.ArrayList<StructField>();
      for (Type part : parts) {
        offset = roundUp(offset, part.alignment());
        fields.add(new StructField("f" + fields.size(), part, offset));
        offset += part.size();
        alignment = Math.max(alignment, part.alignment());
      }
      return new StructType("", fields, roundUp(offset, alignment), alignment);
    }

    @Override
    public String name() {
      return tag.isEmpty() ? "struct" : "struct " + tag;
    }

    private static int roundUp(int offset, int alignment) {
      return (offset + alignment - 1) & -alignment;
    }
  }

  /**
   * A tuple.
   *
   * @param layout its elements in order, laid out as key components are
   */
  record TupleType(StructType layout) implements Type {
    /** Returns the type of tuples of these elements. */
    public static TupleType of(List<Type> elements) {
      return new TupleType(StructType.ofKeyParts(elements));
    }

    /** Returns the types of the elements. */
    public List<Type> elements() {
      return layout.fields().stream().map(StructField::type).toList();
    }

    /** Returns the element that {@code .name} selects, by its index from 0. */
    public Optional<StructField> element(String name) {
      return layout.field("f" + name);
    }

    @Override
    public int size() {
      return layout.size();
    }

    @Override
    public int alignment() {
      return layout.alignment();
    }

    @Override
    public String name() {
      return "("
          + String.join(", ", elements().stream().map(Type::name).toList())
          + (elements().size() == 1 ? ",)" : ")");
    }

    @Override
    public String withArticle() {
      return "a tuple " + name();
    }
  }

  /**
   * A kernel structure or union, whose members are looked up on demand.
   *
   * @param tag its name, empty if anonymous
   * @param id its BTF type id
   */
  record KernelStruct(String tag, int id, int size) implements Type {
    @Override
    public int alignment() {
      return 8;
    }

    @Override
    public String name() {
      return tag.isEmpty() ? "struct" : "struct " + tag;
    }
  }

  /** A string that user space decodes. */
  record EncodedString(Encoding encoding) implements Type {
    @Override
    public int size() {
      return encoding.size();
    }

    @Override
    public int alignment() {
      return encoding.alignment();
    }

    @Override
    public String name() {
      return encoding.noun();
    }

    @Override
    public String withArticle() {
      return ("EI".indexOf(Character.toUpperCase(name().charAt(0))) < 0 ? "a " : "an ") + name();
    }
  }

  /** No value: the type of {@code print}. */
  record VoidType() implements Type {
    @Override
    public int size() {
      return 0;
    }

    @Override
    public int alignment() {
      return 1;
    }

    @Override
    public String name() {
      return "void";
    }
  }
}
