package dev.ply.kernel.dwarf;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Types that have units of their own, so that the linker keeps one of many: DWARF 5, section 7.5.1.
 * Not thread-safe.
 */
final class TypeUnits {
  private static final long IS_64 = 0xffffffffL;
  private static final int TYPE_UNIT = 0x02;

  private final ByteBuffer info;

  /** Where the units of {@code .debug_types} begin. */
  private final int old;

  private Optional<Map<Long, Integer>> offsets = Optional.empty();

  TypeUnits(ByteBuffer info, int old) {
    this.info = info;
    this.old = old;
  }

  /** Returns whether the unit at an offset has the header of those of DWARF 4. */
  boolean isOld(int start) {
    return start >= old;
  }

  /** Returns the offset of the entry that describes the type with a signature. */
  OptionalInt offset(long signature) {
    if (offsets.isEmpty()) {
      offsets = Optional.of(read());
    }
    Integer offset = offsets.get().get(signature);
    return offset == null ? OptionalInt.empty() : OptionalInt.of(offset);
  }

  private Map<Long, Integer> read() {
    Map<Long, Integer> found = new HashMap<>();
    DwarfCursor section = DwarfCursor.of(info);
    try {
      while (section.hasMore()) {
        int start = section.position();
        DwarfCursor unit = section.copy();
        section.skip(InfoUnit.end(section) - start);
        add(unit, start, section.position(), found);
      }
    } catch (BadDwarfException e) {
      // What follows a unit without an end is not read.
    }
    return found;
  }

  private void add(DwarfCursor unit, int start, int end, Map<Long, Integer> to)
      throws BadDwarfException {
    int offsetSize = 4;
    if (unit.unsigned(4) == IS_64) {
      offsetSize = 8;
      unit.skip(8);
    }
    long version = unit.unsigned(2);
    boolean isType = version == 4 && isOld(start);
    if (version == 5) {
      isType = unit.unsignedByte() == TYPE_UNIT;
    }
    if (!isType) {
      return;
    }
    // The address size, and the offset of the abbreviations.
    unit.skip(1L + offsetSize);
    long signature = unit.unsigned(8);
    long type = unit.unsigned(offsetSize);
    if (type > 0 && type < end - start) {
      to.putIfAbsent(signature, start + (int) type);
    }
  }
}
