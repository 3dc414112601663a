package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/** The ID by which linkers tell builds of a file apart: its note of GNU type 3. */
public final class BuildId {
  private static final int TYPE = 3;
  private static final int LONGEST = 64;

  private BuildId() {}

  /** Returns the ID of a file in hexadecimal; empty if it has none. */
  public static Optional<String> of(ElfFile file) throws IOException {
    Optional<ElfSection> section = file.section(".note.gnu.build-id");
    return section.isEmpty()
        ? Optional.empty()
        : ElfNote.all(file, section.get()).stream()
            .filter(note -> note.owner().equals("GNU") && note.type() == TYPE)
            .map(ElfNote::description)
            .filter(id -> id.limit() > 1 && id.limit() <= LONGEST)
            .map(BuildId::hexadecimal)
            .findFirst();
  }

  private static String hexadecimal(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    return HexFormat.of().formatHex(copy);
  }
}
