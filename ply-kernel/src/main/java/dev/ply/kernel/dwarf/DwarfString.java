package dev.ply.kernel.dwarf;

import dev.ply.type.TextBytes;
import java.nio.ByteBuffer;

/**
 * A string that ends with a NUL, decoded when needed.
 *
 * @param section that contains it
 * @param offset of its first byte, which can be past the section's end
 */
record DwarfString(ByteBuffer section, long offset) {
  /** The maximum length in bytes; longer ones are truncated. */
  private static final int LONGEST = 1 << 12;

  static final DwarfString EMPTY = new DwarfString(ByteBuffer.allocate(0), 0);

  boolean isEmpty() {
    return offset < 0 || offset >= section.limit() || section.get((int) offset) == 0;
  }

  String text() {
    if (offset < 0 || offset >= section.limit()) {
      return "";
    }
    int start = (int) offset;
    int end = start;
    while (end < section.limit() && end - start < LONGEST && section.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - start];
    section.get(start, bytes);
    return TextBytes.decode(bytes);
  }
}
