package dev.ply.type;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The type of a value: its layout in memory and its print format. */
public sealed interface Type {
  /** {@return the size of a value in bytes} */
  int size();

  /** {@return the alignment in bytes, a power of two} */
  int alignment();

  /**
   * Calls the visitor's method for this kind of type.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /** An operation with one case per kind of type. */
  interface Visitor<R> {
    /** Handles an integer. */
    R visit(IntType type);

    /** Handles an array. */
    R visit(ArrayType type);

    /** Handles an address. */
    R visit(PointerType type);

    /** Handles a structure. */
    R visit(StructType type);

    /** Handles a tuple. */
    R visit(TupleType type);

    /** Handles a kernel's structure. */
    R visit(KernelStruct type);

    /** Handles an encoded string. */
    R visit(EncodedString type);

    /** Handles no value. */
    R visit(VoidType type);
  }

  /** {@return the fields of a tuple or a structure, in order; none of other types} */
  default List<StructField> parts() {
    return List.of();
  }

  /** {@return whether values fit a register: integers and addresses} */
  default boolean isScalar() {
    return this instanceof IntType || this instanceof PointerType;
  }

  /** {@return whether values are stacks: of the kernel, of the process, or both} */
  default boolean isStack() {
    return this instanceof TupleType tuple && tuple.isBothStacks();
  }

  /** {@return whether values are strings: arrays of characters} */
  default boolean isText() {
    return this instanceof ArrayType array && array.element().equals(IntType.CHAR);
  }

  /**
   * {@return whether values have parts that programs select: tuples, arrays other than strings, and
   * structures}
   */
  default boolean isAggregate() {
    return this instanceof TupleType
        || this instanceof KernelStruct
        || (this instanceof ArrayType && !isText());
  }

  /** {@return the name for diagnostics} */
  String name();

  /** {@return the name with its article, for diagnostics} */
  default String withArticle() {
    if (isStack()) {
      return "a stack trace";
    }
    return (name().matches("s(8|16|32|64).*") ? "an " : "a ") + name();
  }

  /**
   * An integer.
   *
   * @param bytes 1, 2, 4 or 8
   * @param signedness how values are extended to 64 bits
   * @param format the default print format
   * @param names the enumeration that values are printed as
   */
  record IntType(int bytes, Signedness signedness, IntFormat format, Enumerators names)
      implements Type {
    /** C's char, signed as on x86. */
    public static final IntType CHAR = new IntType(1, Signedness.SIGNED, IntFormat.CHARACTER);

    /** A truth value in memory: 0 or 1. */
    public static final IntType BOOL = new IntType(1, Signedness.UNSIGNED, IntFormat.BOOLEAN);

    /** The result of a comparison: 0 or 1. */
    public static final IntType TRUTH = new IntType(4, Signedness.SIGNED, IntFormat.BOOLEAN);

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

    /**
     * A plain number, not one of an enumeration.
     *
     * @param bytes 1, 2, 4 or 8
     * @param signedness how values are extended to 64 bits
     * @param format the default print format
     */
    public IntType(int bytes, Signedness signedness, IntFormat format) {
      this(bytes, signedness, format, Enumerators.NONE);
    }

    /**
     * Checks the size.
     *
     * @throws IllegalArgumentException if there is no integer of that size
     */
    public IntType {
      if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        throw new IllegalArgumentException("integers have 1, 2, 4 or 8 bytes, not " + bytes);
      }
    }

    /**
     * {@return the number of this type in memory, extended to 64 bits by its signedness}
     *
     * @param bytes in the target's byte order; their position is not used
     * @param offset the index of its first byte
     */
    public long read(ByteBuffer bytes, int offset) {
      boolean signed = signedness == Signedness.SIGNED;
      return switch (this.bytes) {
        case 1 -> signed ? bytes.get(offset) : Byte.toUnsignedLong(bytes.get(offset));
        case 2 -> signed ? bytes.getShort(offset) : Short.toUnsignedLong(bytes.getShort(offset));
        case 4 -> signed ? bytes.getInt(offset) : Integer.toUnsignedLong(bytes.getInt(offset));
        default -> bytes.getLong(offset);
      };
    }

    @Override
    public boolean isStack() {
      return format.isStack();
    }

    /** {@return whether values stand for themselves, rather than for a stack or a probe site} */
    public boolean isPlainNumber() {
      return !isStack() && format != IntFormat.PROBE;
    }

    /**
     * {@return the integer type of a size, printed in decimal}
     *
     * @param bytes 1, 2, 4 or 8
     * @param signedness how values are extended to 64 bits
     */
    public static IntType of(int bytes, Signedness signedness) {
      return new IntType(bytes, signedness, IntFormat.DECIMAL);
    }

    /** {@return whether values are signed} */
    public boolean isSigned() {
      return signedness == Signedness.SIGNED;
    }

    /**
     * {@return this type with another size}
     *
     * @param bytes 1, 2, 4 or 8
     */
    public IntType ofBytes(int bytes) {
      return new IntType(bytes, signedness, format, names);
    }

    /**
     * {@return this type as one of an enumeration}
     *
     * @param names of its values
     */
    public IntType named(Enumerators names) {
      return new IntType(bytes, signedness, format, names);
    }

    /** {@return whether values are truth values: 0 or 1} */
    public boolean isTruth() {
      return format == IntFormat.BOOLEAN;
    }

    /**
     * {@return this type with another print format}
     *
     * @param format for values that are not converted explicitly
     */
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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
   * @param element of any type with a size
   * @param length the number of elements
   * @param marksCut whether the last byte is {@link #CUT} instead of the NUL if the string was
   *     longer where it was read
   */
  record ArrayType(Type element, int length, boolean marksCut) implements Type {
    /** The last byte of a string that was cut. */
    public static final byte CUT = 1;

    /**
     * Creates the type of an array whose strings do not tell whether they were cut.
     *
     * @param element of any type with a size
     * @param length the number of elements
     */
    public ArrayType(Type element, int length) {
      this(element, length, false);
    }

    /**
     * {@return the type of a floating-point number: an array of one integer, its bits, since
     * programs do not compute with it}
     *
     * @param bytes 4 or 8
     */
    public static ArrayType floatingPoint(int bytes) {
      return new ArrayType(
          IntType.of(bytes, Signedness.UNSIGNED).printedAs(IntFormat.FLOATING_POINT), 1);
    }

    /** {@return whether this is a floating-point number} */
    public boolean isFloatingPoint() {
      return element instanceof IntType bits && bits.format() == IntFormat.FLOATING_POINT;
    }

    /**
     * {@return the type of strings of {@code bytes} bytes including the NUL}
     *
     * @param bytes at least 1
     */
    public static ArrayType chars(int bytes) {
      return new ArrayType(IntType.CHAR, bytes);
    }

    /**
     * {@return the type of strings that tell whether they were cut, with the NUL's place}
     *
     * @param bytes at least 1
     */
    public static ArrayType readChars(int bytes) {
      return new ArrayType(IntType.CHAR, bytes, true);
    }

    /**
     * {@return whether a string in memory was longer where it was read}
     *
     * @param bytes their position is not used
     * @param offset the index of its first byte
     */
    public boolean isCut(ByteBuffer bytes, int offset) {
      return marksCut && bytes.get(offset + length - 1) != 0;
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public String name() {
      return element.name() + "[" + length + "]";
    }
  }

  /**
   * An address.
   *
   * @param target void if unknown
   * @param space of the kernel or of the process
   */
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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
   * @param fields in ascending order of their offsets
   * @param size including tail padding
   * @param alignment in bytes, a power of two
   */
  record StructType(String tag, List<StructField> fields, int size, int alignment) implements Type {
    /** Copies the fields. */
    public StructType {
      fields = List.copyOf(fields);
    }

    /**
     * {@return the field of this name}
     *
     * @param name as declared
     */
    public Optional<StructField> field(String name) {
      return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    @Override
    public List<StructField> parts() {
      return fields;
    }

    /**
     * {@return the structure of a key, its fields named f0, f1, … and aligned as C does}
     *
     * @param parts in the order of the key
     */
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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
   * A tuple, or a record, whose elements have names.
   *
   * @param layout its elements in order, laid out as key components are; with a tag if it is a
   *     record
   */
  record TupleType(StructType layout) implements Type {
    private static final String RECORD = "record";
    private static final String BOTH_STACKS = "stacks";

    /**
     * {@return the type of tuples of these elements}
     *
     * @param elements in order
     */
    public static TupleType of(List<Type> elements) {
      return new TupleType(StructType.ofKeyParts(elements));
    }

    /**
     * {@return the type of records of these elements, one name for each}
     *
     * @param names one for each element
     * @param elements in order
     */
    public static TupleType ofNamed(List<String> names, List<Type> elements) {
      StructType tuple = StructType.ofKeyParts(elements);
      var fields = new java.util.ArrayList<StructField>();
      for (StructField field : tuple.fields()) {
        fields.add(new StructField(names.get(fields.size()), field.type(), field.offset()));
      }
      return new TupleType(new StructType(RECORD, fields, tuple.size(), tuple.alignment()));
    }

    /**
     * {@return the type of the kernel's stack on the user stack: a record of both}
     *
     * @param kernel the type of a kernel stack
     * @param user the type of a user stack
     */
    public static TupleType ofStacks(IntType kernel, IntType user) {
      StructType record = ofNamed(List.of("kernel", "user"), List.of(kernel, user)).layout();
      return new TupleType(
          new StructType(BOTH_STACKS, record.fields(), record.size(), record.alignment()));
    }

    /** {@return whether values are a stack of the kernel and one of the process} */
    public boolean isBothStacks() {
      return layout.tag().equals(BOTH_STACKS);
    }

    @Override
    public List<StructField> parts() {
      return layout.fields();
    }

    /** {@return whether the elements have names} */
    public boolean isRecord() {
      return !layout.tag().isEmpty();
    }

    /** {@return the names of the elements, none if they are numbered} */
    public List<String> names() {
      return isRecord() ? layout.fields().stream().map(StructField::name).toList() : List.of();
    }

    /**
     * {@return the place of the element that an element of a value has: by its name, if any}
     *
     * @param index counted from 0
     * @param names of the value's elements; none if they are numbered
     */
    public int indexOf(int index, List<String> names) {
      return isRecord() ? names().indexOf(names.get(index)) : index;
    }

    /** {@return the types of the elements} */
    public List<Type> elements() {
      return layout.fields().stream().map(StructField::type).toList();
    }

    /**
     * {@return the element that {@code .name} selects, in a tuple by its index from 0}
     *
     * @param name of a record's element, or a decimal index
     */
    public Optional<StructField> element(String name) {
      return layout.field(isRecord() ? name : "f" + name);
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public String name() {
      if (isBothStacks()) {
        return elements().get(0).name() + "+" + elements().get(1).name();
      }
      if (isRecord()) {
        return layout.fields().stream()
            .map(field -> field.name() + "=" + field.type().name())
            .collect(Collectors.joining(", ", "(", ")"));
      }
      return "("
          + String.join(", ", elements().stream().map(Type::name).toList())
          + (elements().size() == 1 ? ",)" : ")");
    }

    @Override
    public String withArticle() {
      return isBothStacks()
          ? Type.super.withArticle()
          : (isRecord() ? "a record " : "a tuple ") + name();
    }
  }

  /**
   * A kernel structure or union, whose members are looked up on demand.
   *
   * @param tag its name, empty if anonymous
   * @param id its BTF type id
   * @param size in bytes, including tail padding
   * @param alignment in bytes, a power of two
   */
  record KernelStruct(String tag, int id, int size, int alignment) implements Type {
    /**
     * A structure whose members are not looked at: it is aligned as strictly as one of its size can
     * be.
     *
     * @param tag its name, empty if anonymous
     * @param id its BTF type id
     * @param size in bytes, including tail padding
     */
    public KernelStruct(String tag, int id, int size) {
      this(tag, id, size, size == 0 ? 1 : Math.min(Long.BYTES, Integer.lowestOneBit(size)));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public String name() {
      return tag.isEmpty() ? "struct" : "struct " + tag;
    }
  }

  /**
   * A string that user space decodes.
   *
   * @param encoding what it is decoded from
   */
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public String name() {
      return "void";
    }
  }
}
