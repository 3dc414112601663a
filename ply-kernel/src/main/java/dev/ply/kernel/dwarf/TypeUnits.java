package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Types that have units of their own, so that the linker keeps one of many: DWARF 5, section 7.5.1.
 * Not thread-safe.
 */
final class TypeUnits {
  private static final long IS_64 = 0xffffffffL;
  private static final int TYPE_UNIT = 0x02;

  /** The heap size of a type's description. */
  private static final int TYPE_BYTES = 100;

  /** How many units are read between two looks at the clock. */
  private static final int BETWEEN_LOOKS = 1 << 12;

  /** Where the units of {@code .debug_types} begin. */
  private final int old;

  private final Map<Long, Integer> offsets = new HashMap<>();

  private TypeUnits(int old) {
    this.old = old;
  }

  /**
   * Reads where the types are; memory is claimed.
   *
   * @param old the offset of the units of {@code .debug_types}
   */
  static TypeUnits read(ByteBuffer info, int old, Allowance allowance) throws IOException {
    TypeUnits units = new TypeUnits(old);
    DwarfCursor section = DwarfCursor.of(info);
    try {
      for (int count = 1; section.hasMore(); count++) {
        int start = section.position();
        DwarfCursor unit = section.copy();
        section.skip(InfoUnit.end(section) - start);
        units.add(unit, start, section.position(), allowance);
        if (count % BETWEEN_LOOKS == 0) {
          allowance.requireTime();
        }
      }
    } catch (BadDwarfException e) {
      // What follows a unit without an end is not read.
      return units;
    }
    return units;
  }

  /** Returns whether the unit at an offset has the header of those of DWARF 4. */
  boolean isOld(int start) {
    return start >= old;
  }

  /** Returns the offset of the entry that describes the type with a signature. */
  OptionalInt offset(long signature) {
    Integer offset = offsets.get(signature);
    return offset == null ? OptionalInt.empty() : OptionalInt.of(offset);
  }

  private void add(DwarfCursor unit, int start, int end, Allowance allowance) throws IOException {
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
      allowance.claim(TYPE_BYTES);
      offsets.putIfAbsent(signature, start + (int) type);
    }
  }
}
