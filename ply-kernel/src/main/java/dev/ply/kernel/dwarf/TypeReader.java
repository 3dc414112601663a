package dev.ply.kernel.dwarf;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.RecordedLayout;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeReference;
import dev.ply.kernel.dwarf.Entries.Children;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Describes types as a script would define them: integers by their sizes, structures and unions
 * with all that they lead to. What cannot be described is {@code void}. Not thread-safe.
 */
final class TypeReader {
  /** The maximum number of structures that one function's parameters lead to. */
  private static final int MOST_STRUCTURES = 500;

  /** The maximum number of typedefs, qualifiers, pointers and structures in each other. */
  private static final int DEEPEST = 32;

  /** The maximum number of members of all structures. */
  private static final int MOST_MEMBERS = 1 << 16;

  /** The heap size of a structure, and of a member, without the characters of its name. */
  private static final int STRUCTURE_BYTES = 500;

  private static final int MEMBER_BYTES = 400;

  private static final int LARGEST = 1 << 28;
  private static final int POINTER = 8;
  private static final int LARGEST_NUMBER = 8;
  private static final SourceSpan NOWHERE = new SourceSpan("<debug information>", 1, 1, 1, 1);

  /** How the calling conventions of C pass a value. */
  enum Passing {
    /** In one register for integers, or in the stack's words after these. */
    INTEGER,
    /** In a register for floating-point numbers. */
    FLOATING_POINT,
    /** Structures: in several registers, or in memory. */
    OTHER
  }

  /**
   * A described type.
   *
   * @param dimensions of an array, whose elements have the other properties
   * @param size in bytes, of one element
   * @param isByReference whether functions return it by way of a hidden argument
   */
  record Described(
      FieldType type,
      List<Integer> dimensions,
      long size,
      int alignment,
      Passing passing,
      boolean isByReference) {
    static final Described VOID = scalar("void", 0, Passing.OTHER);

    static Described scalar(String name, int size, Passing passing) {
      return scalar(new TypeName(name, 0), size, passing);
    }

    static Described scalar(TypeName name, int size, Passing passing) {
      return new Described(
          new FieldType.Named(name), List.of(), size, Math.max(1, size), passing, false);
    }

    Optional<TypeName> name() {
      return type instanceof FieldType.Named named && dimensions.isEmpty()
          ? Optional.of(named.name())
          : Optional.empty();
    }

    long bytes() {
      long bytes = size;
      for (int length : dimensions) {
        bytes = Math.min(LARGEST, bytes * length);
      }
      return bytes;
    }
  }

  private final Entries entries;
  private final Map<Integer, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final Map<Integer, Integer> alignments = new HashMap<>();
  private final Deque<Entry> undefined = new ArrayDeque<>();
  private final List<TypeDefinition> definitions = new ArrayList<>();
  private int membersRead;

  TypeReader(Entries entries) {
    this.entries = entries;
  }

  /** Returns the definitions of all structures that described types lead to. */
  List<TypeDefinition> definitions() throws IOException {
    while (!undefined.isEmpty()) {
      Entry entry = undefined.remove();
      String name = names.getOrDefault(entry.offset(), "");
      definitions.add(struct(entry, name.substring(name.indexOf(' ') + 1), 0));
    }
    return List.copyOf(definitions);
  }

  /** Describes the type of an entry; {@code void} if it has none. */
  Described of(Entry entry) throws IOException {
    return of(entries.type(entry), 0);
  }

  /** Returns the type of an entry as scripts write it; of a pointer to an array with its length. */
  Optional<TypeReference> reference(Entry entry, Described type) throws IOException {
    OptionalInt at = entries.type(entry);
    for (int depth = 0; depth < DEEPEST && at.isPresent(); depth++) {
      Entry target = entries.at(at.getAsInt());
      at = target.reference(Dwarf.TYPE);
      if (target.tag() == Dwarf.TAG_POINTER && at.isPresent()) {
        Optional<TypeReference> array = array(at);
        return array.isPresent() ? array : type.name().map(name -> name);
      }
      if (!isTransparent(target)) {
        break;
      }
    }
    return type.name().map(name -> name);
  }

  private static boolean isTransparent(Entry entry) {
    return switch (entry.tag()) {
      case Dwarf.TAG_TYPEDEF,
          Dwarf.TAG_CONST,
          Dwarf.TAG_VOLATILE,
          Dwarf.TAG_RESTRICT,
          Dwarf.TAG_ATOMIC ->
          true;
      default -> false;
    };
  }

  private Optional<TypeReference> array(OptionalInt type) throws IOException {
    // Other types are described when something leads to their members.
    if (entries.at(type.getAsInt()).tag() != Dwarf.TAG_ARRAY) {
      return Optional.empty();
    }
    Described described = of(type, 1);
    if (described.dimensions().isEmpty()
        || !(described.type() instanceof FieldType.Named element)) {
      return Optional.empty();
    }
    TypeReference array = element.name();
    for (int i = described.dimensions().size() - 1; i >= 0; i--) {
      array = new TypeArray(array, OptionalInt.of(described.dimensions().get(i)), i == 0 ? 1 : 0);
    }
    return Optional.of(array);
  }

  private Described of(OptionalInt type, int depth) throws IOException {
    return type.isEmpty() || depth > DEEPEST
        ? Described.VOID
        : of(entries.at(type.getAsInt()), Optional.empty(), depth);
  }

  private Described of(Entry entry, Optional<String> typedef, int depth) throws IOException {
    return switch (entry.tag()) {
      case Dwarf.TAG_TYPEDEF -> qualified(entry, typedef.or(() -> nameOf(entry)), depth);
      case Dwarf.TAG_CONST, Dwarf.TAG_VOLATILE, Dwarf.TAG_RESTRICT, Dwarf.TAG_ATOMIC ->
          qualified(entry, typedef, depth);
      case Dwarf.TAG_POINTER, Dwarf.TAG_REFERENCE, Dwarf.TAG_RVALUE_REFERENCE ->
          Described.scalar(pointer(entry, depth), POINTER, Passing.INTEGER);
      case Dwarf.TAG_BASE -> number(entry);
      case Dwarf.TAG_ENUMERATION -> enumeration(entry, depth);
      case Dwarf.TAG_STRUCTURE, Dwarf.TAG_CLASS, Dwarf.TAG_UNION ->
          structure(entry, typedef, depth);
      case Dwarf.TAG_ARRAY -> array(entry, depth);
      default -> Described.VOID;
    };
  }

  private static Optional<String> nameOf(Entry entry) {
    try {
      return entry.name();
    } catch (BadDwarfException e) {
      return Optional.empty();
    }
  }

  private Described qualified(Entry entry, Optional<String> typedef, int depth) throws IOException {
    OptionalInt type = entry.reference(Dwarf.TYPE);
    return type.isEmpty() || depth > DEEPEST
        ? Described.VOID
        : of(entries.at(type.getAsInt()), typedef, depth + 1);
  }

  private TypeName pointer(Entry entry, int depth) throws IOException {
    OptionalInt type = entry.reference(Dwarf.TYPE);
    Optional<TypeName> target =
        type.isEmpty() || depth > DEEPEST
            ? Optional.empty()
            : target(entries.at(type.getAsInt()), Optional.empty(), depth + 1);
    return new TypeName(
        target.map(TypeName::base).orElse("void"), target.map(TypeName::pointers).orElse(0) + 1);
  }

  /** Returns the name of what a pointer leads to, which is described later; empty for void. */
  private Optional<TypeName> target(Entry entry, Optional<String> typedef, int depth)
      throws IOException {
    return switch (entry.tag()) {
      case Dwarf.TAG_TYPEDEF,
          Dwarf.TAG_CONST,
          Dwarf.TAG_VOLATILE,
          Dwarf.TAG_RESTRICT,
          Dwarf.TAG_ATOMIC -> {
        OptionalInt type = entry.reference(Dwarf.TYPE);
        Optional<String> name =
            entry.tag() == Dwarf.TAG_TYPEDEF ? typedef.or(() -> nameOf(entry)) : typedef;
        yield type.isEmpty() || depth > DEEPEST
            ? Optional.empty()
            : target(entries.at(type.getAsInt()), name, depth + 1);
      }
      case Dwarf.TAG_POINTER, Dwarf.TAG_REFERENCE, Dwarf.TAG_RVALUE_REFERENCE ->
          Optional.of(pointer(entry, depth));
      case Dwarf.TAG_BASE -> number(entry).name();
      case Dwarf.TAG_ENUMERATION -> enumeration(entry, depth).name();
      case Dwarf.TAG_STRUCTURE, Dwarf.TAG_CLASS, Dwarf.TAG_UNION -> named(entry, typedef);
      default -> Optional.empty();
    };
  }

  private static Described number(Entry entry) throws BadDwarfException {
    long size = entry.number(Dwarf.BYTE_SIZE).orElse(0);
    long encoding = entry.number(Dwarf.ENCODING).orElse(0);
    boolean isSigned = encoding == Dwarf.ENCODING_SIGNED || encoding == Dwarf.ENCODING_SIGNED_CHAR;
    if (encoding == Dwarf.ENCODING_FLOAT && (size == 4 || size == 8)) {
      return Described.scalar(size == 4 ? "float" : "double", (int) size, Passing.FLOATING_POINT);
    }
    if (encoding == Dwarf.ENCODING_FLOAT || encoding == Dwarf.ENCODING_COMPLEX) {
      return bytes(size, Passing.FLOATING_POINT);
    }
    if (size == 1 && entry.name().filter("char"::equals).isPresent()) {
      return Described.scalar("char", 1, Passing.INTEGER);
    }
    if (size == 1 && encoding == Dwarf.ENCODING_BOOLEAN) {
      return Described.scalar("bool", 1, Passing.INTEGER);
    }
    return integer(size, isSigned);
  }

  private static Described integer(long size, boolean isSigned) {
    return size > 0 && size <= LARGEST_NUMBER && Long.bitCount(size) == 1
        ? Described.scalar(
            (isSigned ? "int" : "uint") + size * Byte.SIZE, (int) size, Passing.INTEGER)
        : bytes(size, Passing.OTHER);
  }

  /** A type that programs cannot compute with is an array of its bytes. */
  private static Described bytes(long size, Passing passing) {
    boolean isSized = size > 0 && size <= LARGEST;
    return new Described(
        new FieldType.Named(new TypeName("uint8", 0)),
        List.of(isSized ? (int) size : 0),
        1,
        1,
        passing,
        false);
  }

  private Described enumeration(Entry entry, int depth) throws IOException {
    Described underlying = of(entry.reference(Dwarf.TYPE), depth + 1);
    return underlying.passing() == Passing.INTEGER
        ? underlying
        : integer(entry.number(Dwarf.BYTE_SIZE).orElse(4), false);
  }

  private Described array(Entry entry, int depth) throws IOException {
    Described element = of(entry.reference(Dwarf.TYPE), depth + 1);
    List<Integer> dimensions = new ArrayList<>();
    Children children = entries.children(entry);
    while (children.advance()) {
      Entry range = children.entry();
      if (dimensions.size() > DEEPEST) {
        return Described.VOID;
      }
      if (range.tag() == Dwarf.TAG_SUBRANGE) {
        long last = range.number(Dwarf.UPPER_BOUND).orElse(-1);
        long count = range.number(Dwarf.COUNT).orElse(last + 1);
        dimensions.add((int) Math.max(0, Math.min(LARGEST, count)));
      }
    }
    dimensions.addAll(element.dimensions());
    return new Described(
        element.type(), dimensions, element.size(), element.alignment(), Passing.OTHER, false);
  }

  private Described structure(Entry entry, Optional<String> typedef, int depth) throws IOException {
    long size = entry.number(Dwarf.BYTE_SIZE).orElse(0);
    if (entry.has(Dwarf.DECLARATION) || size < 0 || size > LARGEST || depth > DEEPEST) {
      return Described.VOID;
    }
    Optional<TypeName> name = named(entry, typedef);
    FieldType type;
    if (name.isPresent()) {
      type = new FieldType.Named(name.get());
    } else if (entry.name().or(() -> typedef).isEmpty()) {
      type = new FieldType.Nested(struct(entry, "", depth + 1));
    } else {
      return size == 0 ? Described.VOID : bytes(size, Passing.OTHER);
    }
    boolean isByReference =
        size > 2 * POINTER
            || entry.number(Dwarf.CALLING_CONVENTION).orElse(0) == Dwarf.PASSED_BY_REFERENCE;
    return new Described(
        type, List.of(), size, alignment(entry, depth), Passing.OTHER, isByReference);
  }

  /** Returns the name of a structure that is, or will be, among the definitions. */
  private Optional<TypeName> named(Entry entry, Optional<String> typedef) throws IOException {
    Optional<String> tag =
        entry.has(Dwarf.DECLARATION) ? Optional.empty() : entry.name().or(() -> typedef);
    return tag.isPresent() ? named(entry, identifier(tag.get())) : Optional.empty();
  }

  /** One of the same name in another scope or unit is another: no script can write its name. */
  private Optional<TypeName> named(Entry entry, String tag) throws IOException {
    String known = names.get(entry.offset());
    if (known == null) {
      if (names.size() == MOST_STRUCTURES) {
        return Optional.empty();
      }
      entries.claimKept(STRUCTURE_BYTES + 6L * tag.length());
      String plain = (entry.tag() == Dwarf.TAG_UNION ? "union " : "struct ") + tag;
      known = plain;
      for (int number = 2; !taken.add(known); number++) {
        known = plain + "#" + number;
      }
      names.put(entry.offset(), known);
      undefined.add(entry);
    }
    return Optional.of(new TypeName(known, 0));
  }

  /** Names of templates and of what is nested have other characters. */
  private static String identifier(String name) {
    return name.replaceAll("[^A-Za-z0-9_]", "_");
  }

  private int alignment(Entry entry, int depth) throws IOException {
    Integer known = alignments.get(entry.offset());
    if (known != null) {
      return known;
    }
    int alignment = 1;
    // No structure contains itself; what says so ends here.
    alignments.put(entry.offset(), alignment);
    Children children = entries.children(entry);
    while (children.advance()) {
      Entry member = children.entry();
      if (isStored(member)) {
        alignment = Math.max(alignment, of(entries.type(member), depth + 1).alignment());
      }
    }
    alignments.put(entry.offset(), alignment);
    return alignment;
  }

  /** Static members are declared in the structure, and stored elsewhere. */
  private static boolean isStored(Entry member) {
    return (member.tag() == Dwarf.TAG_MEMBER || member.tag() == Dwarf.TAG_INHERITANCE)
        && !member.has(Dwarf.DECLARATION);
  }

  private Struct struct(Entry entry, String tag, int depth) throws IOException {
    List<Member> members = new ArrayList<>();
    addMembers(entry, 0, members, depth);
    members.sort(Comparator.comparingLong(Member::bit));
    boolean isPacked = !members.stream().allMatch(Member::isAligned);
    int strictest = members.stream().mapToInt(member -> member.type().alignment()).max().orElse(1);
    return new Struct(
        tag,
        entry.tag() == Dwarf.TAG_UNION,
        isPacked,
        members.stream().map(Member::field).toList(),
        Optional.of(
            new RecordedLayout(
                members.stream().map(Member::bit).toList(),
                (int) Math.max(0, Math.min(LARGEST, entry.number(Dwarf.BYTE_SIZE).orElse(0))),
                isPacked ? 1 : strictest)),
        NOWHERE);
  }

  /**
   * A member at its offset.
   *
   * @param bit its first, from the start of the structure
   */
  private record Member(Field field, Described type, long bit) {
    boolean isAligned() {
      return field.bits().isPresent() || bit / Byte.SIZE % type.alignment() == 0;
    }

    /** Bit-fields are read in words. */
    boolean isReadable() {
      return bit >= 0
          && bit / Byte.SIZE <= LARGEST
          && (field.bits().isEmpty() || bit % Byte.SIZE + field.bits().getAsInt() <= Long.SIZE);
    }
  }

  /** Adds the members of a structure, and those of its base classes as its own. */
  private void addMembers(Entry entry, long start, List<Member> to, int depth) throws IOException {
    Children children = entries.children(entry);
    while (children.advance()) {
      Entry member = children.entry();
      OptionalLong location = member.number(Dwarf.MEMBER_LOCATION);
      boolean isBase = member.tag() == Dwarf.TAG_INHERITANCE;
      // That of a virtual base class is found at run time.
      if (!isStored(member) || (isBase && location.isEmpty())) {
        continue;
      }
      if (++membersRead > MOST_MEMBERS) {
        throw new BadDwarfException("structures of more than " + MOST_MEMBERS + " members");
      }
      if (isBase) {
        addBase(entries.type(member), start + location.getAsLong(), to, depth + 1);
        continue;
      }
      OptionalInt bits = bits(member);
      Described type = of(entries.type(member), depth + 1);
      long bit = firstBit(member, location.orElse(0), type.size(), bits.orElse(0));
      String name = entries.name(member).map(TypeReader::identifier).orElse("");
      entries.claimKept(MEMBER_BYTES + (long) name.length());
      FieldType fieldType = depth > DEEPEST ? type.type() : fieldType(member, type);
      Field field = new Field(name, fieldType, type.dimensions(), bits);
      Member placed = new Member(field, type, start * Byte.SIZE + bit);
      if (!type.equals(Described.VOID) && placed.isReadable()) {
        to.add(placed);
      }
    }
  }

  /** Returns the type of a member; of a pointer to an array with its length. */
  private FieldType fieldType(Entry member, Described type) throws IOException {
    return type.dimensions().isEmpty()
            && reference(member, type).orElse(new TypeName("void", 0)) instanceof TypeArray array
            && array.pointers() == 1
        ? new FieldType.Pointer(arrayType(array))
        : type.type();
  }

  private static FieldType arrayType(TypeReference type) {
    return type instanceof TypeArray array
        ? new FieldType.Array(arrayType(array.element()), array.length().orElse(0))
        : new FieldType.Named((TypeName) type);
  }

  /** Before DWARF 4, the offset of a bit-field was counted from the highest bit of its unit. */
  private static long firstBit(Entry member, long location, long size, int bits)
      throws BadDwarfException {
    OptionalLong fromHighest = member.number(Dwarf.BIT_OFFSET);
    long unit = member.number(Dwarf.BYTE_SIZE).orElse(size);
    return fromHighest.isPresent()
        ? (location + unit) * Byte.SIZE - fromHighest.getAsLong() - bits
        : member.number(Dwarf.DATA_BIT_OFFSET).orElse(location * Byte.SIZE);
  }

  private void addBase(OptionalInt type, long start, List<Member> to, int depth)
      throws IOException {
    if (type.isEmpty() || depth > DEEPEST) {
      return;
    }
    Entry base = entries.at(type.getAsInt());
    if (base.tag() == Dwarf.TAG_TYPEDEF) {
      addBase(base.reference(Dwarf.TYPE), start, to, depth + 1);
    } else {
      addMembers(base, start, to, depth);
    }
  }

  private static OptionalInt bits(Entry member) throws BadDwarfException {
    long bits = member.number(Dwarf.BIT_SIZE).orElse(-1);
    return bits >= 0 && bits <= Long.SIZE ? OptionalInt.of((int) bits) : OptionalInt.empty();
  }
}
