package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A section and where it is loaded.
 *
 * @param address its address in the file
 * @param bytes its content, in the file's byte order
 */
public record LoadedSection(long address, ByteBuffer bytes) {
  private static final int LARGEST = 1 << 28;

  /** Returns a section with content; empty if missing. Its size is claimed. */
  public static Optional<LoadedSection> read(ElfFile file, String name) throws IOException {
    Optional<ElfSection> section = file.section(name);
    if (section.isEmpty() || section.get().isCompressed()) {
      return Optional.empty();
    }
    ByteBuffer content = file.contents(section.get(), LARGEST);
    return content.limit() == 0
        ? Optional.empty()
        : Optional.of(new LoadedSection(section.get().address(), content));
  }
}
