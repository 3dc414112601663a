package dev.ply.kernel.dwarf;

import dev.ply.kernel.dwarf.Abbreviation.Attribute;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A debugging information entry: a function, a parameter, a type. Immutable. */
final class Entry {
  /** Ends the children of an entry. */
  private static final Abbreviation NONE = new Abbreviation(0, false, List.of());

  private final DebugSections sections;
  private final InfoUnit unit;
  private final int offset;
  private final Abbreviation shape;

  /**
   * Numbers; of references and strings the offset in their section, of blocks that of the block,
   * and its size in the upper half.
   */
  private final long[] values;

  private final int end;

  private Entry(
      DebugSections sections,
      InfoUnit unit,
      int offset,
      Abbreviation shape,
      long[] values,
      int end) {
    this.sections = sections;
    this.unit = unit;
    this.offset = offset;
    this.shape = shape;
    this.values = values;
    this.end = end;
  }

  /** Reads the entry at an offset of {@code .debug_info}. */
  static Entry at(DebugSections sections, InfoUnit unit, int offset) throws BadDwarfException {
    DwarfCursor bytes = DwarfCursor.of(sections.info());
    bytes.skip(offset);
    long code = bytes.uleb();
    Abbreviation shape = code == 0 ? NONE : unit.abbreviations().get(code);
    if (shape == null) {
      throw new BadDwarfException("an entry of an unknown shape at " + offset);
    }
    List<Attribute> attributes = shape.attributes();
    long[] values = new long[attributes.size()];
    for (int i = 0; i < values.length; i++) {
      Attribute attribute = attributes.get(i);
      values[i] = value(bytes, unit, attribute.form(), attribute.constant());
    }
    return new Entry(sections, unit, offset, shape, values, bytes.position());
  }

  private static long value(DwarfCursor bytes, InfoUnit unit, int form, long constant)
      throws BadDwarfException {
    return switch (form) {
      case Dwarf.FORM_ADDRESS -> bytes.unsigned(unit.addressSize());
      case Dwarf.FORM_DATA1, Dwarf.FORM_FLAG -> bytes.unsignedByte();
      case Dwarf.FORM_DATA2 -> bytes.unsigned(2);
      case Dwarf.FORM_DATA4, Dwarf.FORM_OTHER_REFERENCE4 -> bytes.unsigned(4);
      case Dwarf.FORM_DATA8, Dwarf.FORM_SIGNATURE, Dwarf.FORM_OTHER_REFERENCE8 -> bytes.unsigned(8);
      case Dwarf.FORM_DATA16 -> skipped(bytes, 16);
      case Dwarf.FORM_SIGNED -> bytes.sleb();
      case Dwarf.FORM_UNSIGNED,
          Dwarf.FORM_STRING_INDEX,
          Dwarf.FORM_ADDRESS_INDEX,
          Dwarf.FORM_LOCATIONS_INDEX,
          Dwarf.FORM_RANGES_INDEX ->
          bytes.uleb();
      case Dwarf.FORM_PRESENT -> 1;
      case Dwarf.FORM_IMPLICIT -> constant;
      case Dwarf.FORM_STRING -> bytes.string().offset();
      case Dwarf.FORM_STRING_OFFSET,
          Dwarf.FORM_LINE_STRING,
          Dwarf.FORM_OFFSET,
          Dwarf.FORM_OTHER_STRING,
          Dwarf.FORM_SHARED_REFERENCE,
          Dwarf.FORM_SHARED_STRING ->
          bytes.unsigned(unit.offsetSize());
      case Dwarf.FORM_REFERENCE_IN_FILE ->
          bytes.unsigned(unit.version() == 2 ? unit.addressSize() : unit.offsetSize());
      case Dwarf.FORM_REFERENCE1 -> unit.start() + bytes.unsigned(1);
      case Dwarf.FORM_REFERENCE2 -> unit.start() + bytes.unsigned(2);
      case Dwarf.FORM_REFERENCE4 -> unit.start() + bytes.unsigned(4);
      case Dwarf.FORM_REFERENCE8 -> unit.start() + bytes.unsigned(8);
      case Dwarf.FORM_REFERENCE -> unit.start() + bytes.uleb();
      case Dwarf.FORM_BLOCK1 -> skipped(bytes, bytes.unsignedByte());
      case Dwarf.FORM_BLOCK2 -> skipped(bytes, bytes.unsigned(2));
      case Dwarf.FORM_BLOCK4 -> skipped(bytes, bytes.unsigned(4));
      case Dwarf.FORM_BLOCK, Dwarf.FORM_EXPRESSION -> skipped(bytes, bytes.uleb());
      default -> {
        if (form >= Dwarf.FORM_STRING_INDEX1 && form <= Dwarf.FORM_STRING_INDEX4) {
          yield index(bytes, form - Dwarf.FORM_STRING_INDEX1 + 1);
        }
        if (form >= Dwarf.FORM_ADDRESS_INDEX1 && form <= Dwarf.FORM_ADDRESS_INDEX4) {
          yield index(bytes, form - Dwarf.FORM_ADDRESS_INDEX1 + 1);
        }
        throw new BadDwarfException("an attribute of form 0x" + Integer.toHexString(form));
      }
    };
  }

  private static long skipped(DwarfCursor bytes, long size) throws BadDwarfException {
    long start = bytes.position();
    bytes.skip(size);
    return start | size << Integer.SIZE;
  }

  /** The index of three bytes is the one number of that size; files have either byte order. */
  private static long index(DwarfCursor bytes, int size) throws BadDwarfException {
    if (size != 3) {
      return bytes.unsigned(size);
    }
    long low = bytes.unsigned(2);
    return bytes.isBigEndian()
        ? low << Byte.SIZE | bytes.unsignedByte()
        : low | (long) bytes.unsignedByte() << Short.SIZE;
  }

  InfoUnit unit() {
    return unit;
  }

  int offset() {
    return offset;
  }

  /** Returns the offset after it: that of its first child, or of the next entry. */
  int end() {
    return end;
  }

  /** Returns the number of its attributes. */
  int valueCount() {
    return values.length;
  }

  int tag() {
    return shape.tag();
  }

  /** Returns whether it ends the children of another. */
  boolean isEnd() {
    return shape.tag() == 0;
  }

  boolean hasChildren() {
    return shape.hasChildren();
  }

  private int indexOf(int attribute) {
    List<Attribute> attributes = shape.attributes();
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.get(i).name() == attribute) {
        return i;
      }
    }
    return -1;
  }

  /** Returns whether an attribute that is a flag is set. */
  boolean isFlagged(int attribute) {
    int index = indexOf(attribute);
    if (index < 0) {
      return false;
    }
    int form = shape.attributes().get(index).form();
    return (form == Dwarf.FORM_FLAG || form == Dwarf.FORM_PRESENT) && values[index] != 0;
  }

  boolean has(int attribute) {
    return indexOf(attribute) >= 0;
  }

  /** Returns an attribute that is a number; one in a block is what it adds to an address. */
  OptionalLong number(int attribute) throws BadDwarfException {
    int index = indexOf(attribute);
    if (index < 0) {
      return OptionalLong.empty();
    }
    return switch (shape.attributes().get(index).form()) {
      case Dwarf.FORM_DATA1,
          Dwarf.FORM_DATA2,
          Dwarf.FORM_DATA4,
          Dwarf.FORM_DATA8,
          Dwarf.FORM_SIGNED,
          Dwarf.FORM_UNSIGNED,
          Dwarf.FORM_IMPLICIT,
          Dwarf.FORM_OFFSET ->
          OptionalLong.of(values[index]);
      case Dwarf.FORM_BLOCK1, Dwarf.FORM_BLOCK, Dwarf.FORM_EXPRESSION -> sum(values[index]);
      default -> OptionalLong.empty();
    };
  }

  private OptionalLong sum(long block) throws BadDwarfException {
    DwarfCursor bytes = DwarfCursor.of(sections.info());
    bytes.skip(block & 0xFFFF_FFFFL);
    return bytes.unsignedByte() == Dwarf.PLUS_CONSTANT
        ? OptionalLong.of(bytes.uleb())
        : OptionalLong.empty();
  }

  /** Returns an attribute that is an expression. */
  Optional<DwarfCursor> expression(int attribute) throws BadDwarfException {
    int index = indexOf(attribute);
    if (index < 0) {
      return Optional.empty();
    }
    return switch (shape.attributes().get(index).form()) {
      case Dwarf.FORM_BLOCK1,
          Dwarf.FORM_BLOCK2,
          Dwarf.FORM_BLOCK4,
          Dwarf.FORM_BLOCK,
          Dwarf.FORM_EXPRESSION -> {
        DwarfCursor bytes = DwarfCursor.of(sections.info());
        bytes.skip(values[index] & 0xFFFF_FFFFL);
        yield Optional.of(bytes.part(values[index] >>> Integer.SIZE));
      }
      default -> Optional.empty();
    };
  }

  /** Returns an attribute that is an index of a table of lists, and not an offset. */
  OptionalLong index(int attribute) {
    int index = indexOf(attribute);
    return index >= 0 && shape.attributes().get(index).form() == Dwarf.FORM_LOCATIONS_INDEX
        ? OptionalLong.of(values[index])
        : OptionalLong.empty();
  }

  /** Returns an address of the unit's table. */
  long addressAt(long index) throws BadDwarfException {
    return element(sections.addresses(), unit.addressesBase(), index, unit.addressSize());
  }

  /** Returns an attribute that is an address in the file. */
  OptionalLong address(int attribute) throws BadDwarfException {
    int index = indexOf(attribute);
    if (index < 0) {
      return OptionalLong.empty();
    }
    int form = shape.attributes().get(index).form();
    if (form == Dwarf.FORM_ADDRESS) {
      return OptionalLong.of(values[index]);
    }
    boolean isIndex =
        form == Dwarf.FORM_ADDRESS_INDEX
            || (form >= Dwarf.FORM_ADDRESS_INDEX1 && form <= Dwarf.FORM_ADDRESS_INDEX4);
    return isIndex
        ? OptionalLong.of(
            element(sections.addresses(), unit.addressesBase(), values[index], unit.addressSize()))
        : OptionalLong.empty();
  }

  /**
   * Returns the offset of the entry that an attribute refers to; empty if it is in another file.
   */
  OptionalInt reference(int attribute) {
    int index = indexOf(attribute);
    if (index < 0) {
      return OptionalInt.empty();
    }
    return switch (shape.attributes().get(index).form()) {
      case Dwarf.FORM_REFERENCE_IN_FILE,
          Dwarf.FORM_REFERENCE1,
          Dwarf.FORM_REFERENCE2,
          Dwarf.FORM_REFERENCE4,
          Dwarf.FORM_REFERENCE8,
          Dwarf.FORM_REFERENCE ->
          values[index] >= 0 && values[index] < sections.info().limit()
              ? OptionalInt.of((int) values[index])
              : OptionalInt.empty();
      case Dwarf.FORM_SIGNATURE -> sections.typeUnits().offset(values[index]);
      default -> OptionalInt.empty();
    };
  }

  /** Returns its name; empty if it has none, or in another file. */
  Optional<String> name() throws BadDwarfException {
    return string(Dwarf.NAME);
  }

  /** Returns an attribute that is a string; empty if that is in another file. */
  Optional<String> string(int attribute) throws BadDwarfException {
    int index = indexOf(attribute);
    if (index < 0) {
      return Optional.empty();
    }
    int form = shape.attributes().get(index).form();
    boolean isIndex =
        form == Dwarf.FORM_STRING_INDEX
            || (form >= Dwarf.FORM_STRING_INDEX1 && form <= Dwarf.FORM_STRING_INDEX4);
    long offset =
        isIndex
            ? element(
                sections.stringOffsets(), unit.stringsBase(), values[index], unit.offsetSize())
            : values[index];
    ByteBuffer section =
        switch (form) {
          case Dwarf.FORM_STRING -> sections.info();
          case Dwarf.FORM_LINE_STRING -> sections.lineStrings();
          default -> sections.strings();
        };
    boolean isElsewhere = form == Dwarf.FORM_OTHER_STRING || form == Dwarf.FORM_SHARED_STRING;
    String text = isElsewhere ? "" : new DwarfString(section, offset).text();
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static long element(ByteBuffer table, long base, long index, int size)
      throws BadDwarfException {
    DwarfCursor bytes = DwarfCursor.of(table);
    if (index < 0 || index > Integer.MAX_VALUE) {
      throw new BadDwarfException("an index of " + index);
    }
    bytes.skip(base);
    bytes.skip(index * size);
    return bytes.unsigned(size);
  }
}
