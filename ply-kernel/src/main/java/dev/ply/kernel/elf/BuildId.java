package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/** The build ID of a file: its GNU note of type 3. */
public final class BuildId {
  private static final int TYPE = 3;
  private static final int LONGEST = 64;

  private BuildId() {}

  /** Returns the build ID in hexadecimal; empty if missing. */
  public static Optional<String> of(ElfFile file) throws IOException {
    Optional<ElfSection> section = file.section(".note.gnu.build-id");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    long before = file.allowance().claimed();
    Optional<String> id =
        ElfNote.all(file, section.get()).stream()
            .filter(note -> note.owner().equals("GNU") && note.type() == TYPE)
            .map(ElfNote::description)
            .filter(bytes -> bytes.limit() > 1 && bytes.limit() <= LONGEST)
            .map(BuildId::hexadecimal)
            .findFirst();
    file.allowance().release(file.allowance().claimed() - before);
    return id;
  }

  private static String hexadecimal(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    return HexFormat.of().formatHex(copy);
  }
}
