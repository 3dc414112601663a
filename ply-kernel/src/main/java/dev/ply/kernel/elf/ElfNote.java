package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A note of an ELF file.
 *
 * @param description in the file's byte order
 */
record ElfNote(String owner, int type, ByteBuffer description) {
  private static final int HEADER = 12;

  /** A Java runtime has hundreds, in less than a tenth of this. */
  private static final int MOST_BYTES = 1 << 22;

  private static final int MOST_NOTES = 1 << 16;
  private static final int LONGEST_OWNER = 64;

  /** The heap size of a note, whose description is a part of the section's content. */
  private static final int NOTE_BYTES = 160 + LONGEST_OWNER;

  /**
   * Returns the notes of a section; a truncated one is skipped. Their memory is claimed, to be
   * released by callers that do not keep them.
   */
  static List<ElfNote> all(ElfFile file, ElfSection section) throws IOException {
    ByteBuffer bytes = file.contents(section, MOST_BYTES);
    List<ElfNote> notes = new ArrayList<>();
    int at = 0;
    while (at + HEADER <= bytes.limit() && notes.size() < MOST_NOTES) {
      int nameSize = bytes.getInt(at);
      int size = bytes.getInt(at + 4);
      int type = bytes.getInt(at + 8);
      long description = at + HEADER + ((nameSize + 3L) & ~3L);
      if (nameSize < 0 || size < 0 || description + size > bytes.limit()) {
        break;
      }
      file.allowance().claim(NOTE_BYTES);
      ByteBuffer content = bytes.slice((int) description, size).order(bytes.order());
      int nameLength = Math.min(Math.max(0, nameSize - 1), LONGEST_OWNER);
      byte[] name = new byte[nameLength];
      bytes.get(at + HEADER, name);
      String owner = new String(name, StandardCharsets.US_ASCII);
      notes.add(new ElfNote(owner, type, content));
      at = (int) ((description + size + 3) & ~3L);
    }
    return notes;
  }
}
