package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A program, library or file of debug information. Of either word size and byte order; the layout
 * is that of the System V ABI, as elf(5) shows it. Not thread-safe.
 */
public final class ElfFile implements AutoCloseable {
  private static final int MAGIC = 0x7f454c46;
  private static final int TYPE_RELOCATABLE = 1;
  private static final int SEGMENT_LOAD = 1;
  private static final int SEGMENT_EXECUTABLE = 1;
  private static final int MOST_HEADERS = 1 << 16;
  private static final long LARGEST_SECTION = 1L << 28;

  /** Section type: occupies no space in the file. */
  private static final int NOBITS = 8;

  private final Path path;
  private final FileChannel channel;
  private final ByteOrder order;
  private final boolean is64;
  private final int machine;
  private final List<Segment> segments;
  private final List<ElfSection> sections;

  /** What of the file is loaded where. */
  private record Segment(boolean executable, long offset, long address, long fileSize) {
    boolean has(long virtualAddress) {
      return Long.compareUnsigned(virtualAddress - address, fileSize) < 0;
    }

    boolean hasOffset(long fileOffset) {
      return Long.compareUnsigned(fileOffset - offset, fileSize) < 0;
    }
  }

  private ElfFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    ByteBuffer ident = read(path, channel, 0, 16);
    if (ident.getInt(0) != MAGIC) {
      throw new BadElfException(path + " is no program or library: it is not an ELF file");
    }
    this.is64 = ident.get(4) == 2;
    this.order = ident.get(5) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer header = bytes(0, is64 ? 64 : 52);
    this.machine = Short.toUnsignedInt(header.getShort(18));
    if (header.getShort(16) == TYPE_RELOCATABLE) {
      throw new BadElfException(path + " is not linked yet: nothing runs from an object file");
    }
    this.segments = segments(header);
    this.sections = sections(header);
  }

  /**
   * Opens a file.
   *
   * @throws BadElfException if it is none
   */
  public static ElfFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path);
    try {
      return new ElfFile(path, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns where it was opened. */
  public Path path() {
    return path;
  }

  /** Returns the processor's number, {@code e_machine}. */
  public int machine() {
    return machine;
  }

  /** Tells whether addresses have 64 bits. */
  public boolean is64() {
    return is64;
  }

  ByteOrder order() {
    return order;
  }

  /** Returns the sections in the file's order. */
  List<ElfSection> sections() {
    return sections;
  }

  /** Returns the section of that name. */
  Optional<ElfSection> section(String name) {
    return sections.stream().filter(section -> section.name().equals(name)).findFirst();
  }

  /** Returns the bytes of a section, none if it has none in the file. */
  ByteBuffer contents(ElfSection section) throws IOException {
    if (section.type() == NOBITS) {
      return ByteBuffer.allocate(0).order(order);
    }
    if (Long.compareUnsigned(section.size(), LARGEST_SECTION) > 0) {
      throw new BadElfException(path + " has a section of " + section.size() + " bytes");
    }
    return bytes(section.offset(), (int) section.size());
  }

  /**
   * Returns where in the file the code at an address of the file's own is; empty if there is no
   * code.
   */
  public OptionalLong codeOffset(long address) {
    return segments.stream()
        .filter(segment -> segment.executable() && segment.has(address))
        .mapToLong(segment -> address - segment.address() + segment.offset())
        .findFirst();
  }

  /**
   * Code of a file.
   *
   * @param offset bytes from the file's start
   */
  public record Code(long offset, ByteBuffer bytes) {}

  /**
   * Reads the code that the byte at an offset is part of; empty if it is none, or more than so many
   * bytes.
   */
  public Optional<Code> codeAround(long offset, int most) throws IOException {
    for (Segment segment : segments) {
      if (segment.executable() && segment.hasOffset(offset)) {
        return Long.compareUnsigned(segment.fileSize(), most) <= 0
            ? Optional.of(
                new Code(segment.offset(), bytes(segment.offset(), (int) segment.fileSize())))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns where in the file what is at an address is; empty if it is not in the file. */
  public OptionalLong dataOffset(long address) {
    return segments.stream()
        .filter(segment -> segment.has(address))
        .mapToLong(segment -> address - segment.address() + segment.offset())
        .findFirst();
  }

  /** Returns the file's own address for what is at an offset of it. */
  public OptionalLong address(long offset) {
    return segments.stream()
        .filter(segment -> segment.hasOffset(offset))
        .mapToLong(segment -> offset - segment.offset() + segment.address())
        .findFirst();
  }

  private List<Segment> segments(ByteBuffer header) throws IOException {
    long start = word(header, is64 ? 32 : 28);
    int size = Short.toUnsignedInt(header.getShort(is64 ? 54 : 42));
    int count = Short.toUnsignedInt(header.getShort(is64 ? 56 : 44));
    List<Segment> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuffer entry = bytes(start + (long) i * size, is64 ? 56 : 32);
      if (entry.getInt(0) == SEGMENT_LOAD) {
        int flags = entry.getInt(is64 ? 4 : 24);
        found.add(
            new Segment(
                (flags & SEGMENT_EXECUTABLE) != 0,
                word(entry, is64 ? 8 : 4),
                word(entry, is64 ? 16 : 8),
                word(entry, is64 ? 32 : 16)));
      }
    }
    return found;
  }

  private List<ElfSection> sections(ByteBuffer header) throws IOException {
    long start = word(header, is64 ? 40 : 32);
    int size = Short.toUnsignedInt(header.getShort(is64 ? 58 : 46));
    long count = Short.toUnsignedInt(header.getShort(is64 ? 60 : 48));
    long names = Short.toUnsignedInt(header.getShort(is64 ? 62 : 50));
    if (start == 0) {
      return List.of();
    }
    ElfSection first = section(start);
    // Numbers that do not fit the header are in the first section's.
    count = count == 0 ? first.size() : count;
    names = names == 0xffff ? first.link() : names;
    if (Long.compareUnsigned(count, MOST_HEADERS) > 0 || names < 0 || names >= count) {
      throw new BadElfException(path + " has " + count + " sections, their names in " + names);
    }
    List<ElfSection> nameless = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      nameless.add(section(start + i * size));
    }
    ByteBuffer text = contents(nameless.get((int) names));
    return nameless.stream()
        .map(section -> section.named(text(text, section.nameOffset())))
        .toList();
  }

  private ElfSection section(long start) throws IOException {
    ByteBuffer entry = bytes(start, is64 ? 64 : 40);
    return new ElfSection(
        "",
        entry.getInt(0),
        entry.getInt(4),
        word(entry, is64 ? 16 : 12),
        word(entry, is64 ? 24 : 16),
        word(entry, is64 ? 32 : 20),
        entry.getInt(is64 ? 40 : 24));
  }

  /** Reads an address or size at an offset of a structure. */
  long word(ByteBuffer structure, int offset) {
    return is64 ? structure.getLong(offset) : Integer.toUnsignedLong(structure.getInt(offset));
  }

  /** Reads a text up to its NUL. */
  static String text(ByteBuffer strings, int start) {
    if (start < 0 || start >= strings.limit()) {
      return "";
    }
    int end = start;
    while (end < strings.limit() && strings.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - start];
    strings.get(start, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Reads a part of the file. */
  ByteBuffer bytes(long offset, int size) throws IOException {
    return read(path, channel, offset, size).order(order);
  }

  private static ByteBuffer read(Path path, FileChannel channel, long offset, int size)
      throws IOException {
    if (channel.size() < 52) {
      throw new BadElfException(path + " is no program or library: it is not an ELF file");
    }
    if (offset < 0 || offset > channel.size() - size) {
      throw new BadElfException(path + " ends before what it says it has at offset " + offset);
    }
    ByteBuffer buffer = ByteBuffer.allocate(size);
    long position = offset;
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer, position);
      if (read < 0) {
        throw new BadElfException(path + " was cut while it was read");
      }
      position += read;
    }
    return buffer.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
