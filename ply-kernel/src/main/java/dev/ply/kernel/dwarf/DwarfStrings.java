package dev.ply.kernel.dwarf;

import java.nio.ByteBuffer;

/**
 * The sections of strings that tables of file names refer to, from DWARF 5 on.
 *
 * @param lineStrings {@code .debug_line_str}
 * @param strings {@code .debug_str}
 */
record DwarfStrings(ByteBuffer lineStrings, ByteBuffer strings) {
  /** No strings. */
  static final DwarfStrings NONE = new DwarfStrings(ByteBuffer.allocate(0), ByteBuffer.allocate(0));
}
