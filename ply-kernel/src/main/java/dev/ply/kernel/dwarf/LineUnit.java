package dev.ply.kernel.dwarf;

/**
 * The lines of a compilation unit: a header, tables of file names, and a program whose state
 * machine makes the rows. DWARF 2 to 5, sections 6.2 of DWARF 4 and 5.
 *
 * @param version of the header
 * @param offsetSize of offsets into other sections: 4, or 8 in 64-bit DWARF
 * @param step the size of an instruction of the machine, in bytes
 * @param lineBase the line advance of the first special opcode
 * @param lineRange the number of line advances of special opcodes
 * @param opcodeBase the first special opcode
 * @param operandCounts one byte for each standard opcode
 * @param tables of directories and files
 * @param code the program
 */
record LineUnit(
    int version,
    int offsetSize,
    int step,
    int lineBase,
    int lineRange,
    int opcodeBase,
    DwarfCursor operandCounts,
    DwarfCursor tables,
    DwarfCursor code) {
  private static final long IS_64 = 0xffffffffL;
  private static final int OLDEST = 2;
  private static final int NEWEST = 5;

  /** Splits off the unit at the section's position, after its length. */
  static DwarfCursor split(DwarfCursor section) throws BadDwarfException {
    DwarfCursor all = section.copy();
    long length = section.unsigned(4);
    int size = 4;
    if (length == IS_64) {
      length = section.unsigned(8);
      size = 12;
    }
    section.skip(length);
    return all.part(size + length);
  }

  /** Parses a unit. */
  static LineUnit of(DwarfCursor unit) throws BadDwarfException {
    int offsetSize = 4;
    if (unit.unsigned(4) == IS_64) {
      offsetSize = 8;
      unit.skip(8);
    }
    int version = (int) unit.unsigned(2);
    if (version < OLDEST || version > NEWEST) {
      throw new BadDwarfException("a line table of version " + version);
    }
    if (version >= 5) {
      // The sizes of addresses and of segment selectors.
      unit.skip(2);
    }
    DwarfCursor header = unit.part(unit.unsigned(offsetSize));
    int step = header.unsignedByte();
    // Operations per instruction are of VLIW machines; the default of is_stmt is not used.
    header.skip(version >= 4 ? 2 : 1);
    int lineBase = header.signedByte();
    int lineRange = header.unsignedByte();
    int opcodeBase = header.unsignedByte();
    if (lineRange == 0 || opcodeBase == 0) {
      throw new BadDwarfException("special opcodes of no lines");
    }
    DwarfCursor operandCounts = header.part(opcodeBase - 1);
    return new LineUnit(
        version, offsetSize, step, lineBase, lineRange, opcodeBase, operandCounts, header, unit);
  }

  /** Returns the names of the files. */
  FileNames files(DwarfStrings strings) {
    return version >= 5
        ? new FileTable(tables.copy(), offsetSize, strings)
        : new OldFileTable(tables.copy());
  }
}
