package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads sections of debug information, which can be compressed. All memory is claimed from the
 * file's allowance before it is allocated, and that of the compressed content released again.
 */
public final class DebugSection {
  private static final int LARGEST = 1 << 28;
  private static final int ZLIB = 1;

  /** No bytes of a deflated stream yield more than this many each. */
  private static final long MOST_INFLATED = 1032;

  private static final int CHUNK = 1 << 16;

  /** "ZLIB", and the size as 8 bytes, the highest first. */
  private static final int OLD_HEADER = 12;

  private static final int OLD_MAGIC = 0x5a4c4942;

  private DebugSection() {}

  /**
   * Returns the content of a section, in the file's byte order; empty if missing, or it is
   * compressed by something else than zlib.
   */
  public static Optional<ByteBuffer> read(ElfFile file, String name) throws IOException {
    Optional<ElfSection> section = file.section(name);
    if (section.isEmpty()) {
      return old(file, name);
    }
    ByteBuffer content = file.contents(section.get(), LARGEST);
    if (content.limit() == 0) {
      return Optional.empty();
    }
    if (!section.get().isCompressed()) {
      return Optional.of(content);
    }
    Optional<ByteBuffer> inflated = inflated(file, content);
    file.allowance().release(content.limit());
    return inflated;
  }

  /** Before they had a flag, compressed sections had names of their own, and a short header. */
  private static Optional<ByteBuffer> old(ElfFile file, String name) throws IOException {
    Optional<ElfSection> section = file.section(name.replaceFirst("^\\.debug_", ".zdebug_"));
    if (section.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer content = file.contents(section.get(), LARGEST);
    if (content.limit() < OLD_HEADER
        || content.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(0) != OLD_MAGIC) {
      return Optional.empty();
    }
    long size = content.duplicate().order(ByteOrder.BIG_ENDIAN).getLong(4);
    Optional<ByteBuffer> inflated = inflated(file, content, OLD_HEADER, size);
    file.allowance().release(content.limit());
    return inflated;
  }

  private static Optional<ByteBuffer> inflated(ElfFile file, ByteBuffer section)
      throws IOException {
    int header = file.is64() ? 24 : 12;
    if (section.limit() < header) {
      throw new BadElfException(file.path() + " has a compressed section without header");
    }
    if (section.getInt(0) != ZLIB) {
      return Optional.empty();
    }
    return inflated(file, section, header, file.word(section, file.is64() ? 8 : 4));
  }

  private static Optional<ByteBuffer> inflated(
      ElfFile file, ByteBuffer section, int header, long size) throws IOException {
    long most = Math.min(LARGEST, MOST_INFLATED * (section.limit() - header));
    if (Long.compareUnsigned(size, most) > 0) {
      throw new BadElfException(file.path() + " has a compressed section of " + size + " bytes");
    }
    file.allowance().claim(size);
    byte[] content = new byte[(int) size];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(section.position(header));
      for (int done = 0; done < content.length; ) {
        int count = inflater.inflate(content, done, Math.min(CHUNK, content.length - done));
        if (count == 0) {
          throw new BadElfException(file.path() + " has a compressed section that ends early");
        }
        done += count;
        file.allowance().requireTime();
      }
    } catch (DataFormatException e) {
      throw new BadElfException(file.path() + " has a compressed section that is damaged");
    } finally {
      inflater.end();
    }
    return Optional.of(ByteBuffer.wrap(content).order(section.order()));
  }
}
