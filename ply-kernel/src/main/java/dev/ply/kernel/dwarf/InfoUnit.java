package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.Map;

/**
 * A compilation unit of {@code .debug_info}: DWARF 5, section 7.5.1.
 *
 * @param start the offset of its header
 * @param end the offset after its last entry
 * @param first the offset of its first entry, which describes the unit itself
 * @param offsetSize of offsets into other sections: 4, or 8 in 64-bit DWARF
 * @param stringsBase where its part of {@code .debug_str_offsets} begins
 * @param addressesBase where its part of {@code .debug_addr} begins
 */
record InfoUnit(
    int start,
    int end,
    int first,
    int version,
    int offsetSize,
    int addressSize,
    Map<Long, Abbreviation> abbreviations,
    long stringsBase,
    long addressesBase) {
  private static final long IS_64 = 0xffffffffL;
  private static final int OLDEST = 2;
  private static final int NEWEST = 5;
  private static final int TYPE_UNIT = 0x02;
  private static final int SKELETON = 0x04;
  private static final int SPLIT = 0x05;
  private static final int SPLIT_TYPE = 0x06;

  /** Returns the offset after the unit that begins at the cursor. */
  static int end(DwarfCursor section) throws BadDwarfException {
    DwarfCursor bytes = section.copy();
    long length = bytes.unsigned(4);
    bytes.skip(length == IS_64 ? bytes.unsigned(8) : length);
    return bytes.position();
  }

  /** Reads the header at an offset, and the shapes of its entries, whose memory is claimed. */
  static InfoUnit at(DebugSections sections, int start, int end, Allowance allowance)
      throws IOException {
    DwarfCursor bytes = DwarfCursor.of(sections.info());
    bytes.skip(start);
    int offsetSize = 4;
    if (bytes.unsigned(4) == IS_64) {
      offsetSize = 8;
      bytes.skip(8);
    }
    int version = (int) bytes.unsigned(2);
    if (version < OLDEST || version > NEWEST) {
      throw new BadDwarfException("a unit of version " + version);
    }
    int addressSize;
    long table;
    if (version < 5) {
      table = bytes.unsigned(offsetSize);
      addressSize = bytes.unsignedByte();
      if (version == 4 && sections.typeUnits().isOld(start)) {
        bytes.skip(8L + offsetSize);
      }
    } else {
      int kind = bytes.unsignedByte();
      addressSize = bytes.unsignedByte();
      table = bytes.unsigned(offsetSize);
      switch (kind) {
        case TYPE_UNIT, SPLIT_TYPE -> bytes.skip(8L + offsetSize);
        case SKELETON, SPLIT -> bytes.skip(8);
        default -> {}
      }
    }
    InfoUnit unit =
        new InfoUnit(
            start,
            end,
            bytes.position(),
            version,
            offsetSize,
            addressSize,
            Abbreviation.table(sections.abbreviations(), table, allowance),
            0,
            0);
    Entry described = Entry.at(sections, unit, unit.first());
    return new InfoUnit(
        start,
        end,
        unit.first(),
        version,
        offsetSize,
        addressSize,
        unit.abbreviations(),
        described.number(Dwarf.STRING_OFFSETS_BASE).orElse(2L * offsetSize),
        described.number(Dwarf.ADDRESSES_BASE).orElse(2L * offsetSize));
  }
}
