package dev.ply.kernel.unwind;

import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.dwarf.DwarfCursor;

/**
 * How an address in {@code .eh_frame} is encoded (DW_EH_PE).
 *
 * @param code the format in the lower 4 bits, and what it is relative to
 */
record PointerEncoding(int code) {
  /** An 8-byte address. */
  static final PointerEncoding ABSOLUTE = new PointerEncoding(0);

  private static final int OMITTED = 0xff;
  private static final int FORMAT = 0xf;
  private static final int RELATIVE_TO = 0x70;
  private static final int PC_RELATIVE = 0x10;
  private static final int INDIRECT = 0x80;

  /**
   * Reads an address.
   *
   * @param sectionAddress where the cursor's section is loaded
   */
  long read(DwarfCursor at, long sectionAddress) throws BadDwarfException {
    long position = sectionAddress + at.position();
    long value = size(at);
    if ((code & INDIRECT) != 0) {
      throw new BadDwarfException("an indirect address of a function");
    }
    return switch (code & RELATIVE_TO) {
      case 0 -> value;
      case PC_RELATIVE -> position + value;
      default -> throw new BadDwarfException("an address of encoding " + code);
    };
  }

  /** Reads a number of the same format that is relative to nothing: a size. */
  long size(DwarfCursor at) throws BadDwarfException {
    return switch (code & FORMAT) {
      case 0x0, 0x4, 0xc -> at.unsigned(8);
      case 0x1 -> at.uleb();
      case 0x2 -> at.unsigned(2);
      case 0x3 -> at.unsigned(4);
      case 0x9 -> at.sleb();
      case 0xa -> (short) at.unsigned(2);
      case 0xb -> (int) at.unsigned(4);
      default -> throw new BadDwarfException("an address of encoding " + code);
    };
  }

  /** Skips an address. */
  void skip(DwarfCursor at) throws BadDwarfException {
    if (code != OMITTED) {
      long unused = size(at);
    }
  }
}
