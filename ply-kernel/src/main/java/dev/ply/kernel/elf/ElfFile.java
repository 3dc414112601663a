package dev.ply.kernel.elf;

import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An ELF file: a program, library or debug file. Of either word size and byte order; the layout is
 * that of the System V ABI (elf(5)). Untrusted: everything read has limits, far above any linker's
 * output. Not thread-safe.
 */
public final class ElfFile implements AutoCloseable {
  private static final int MAGIC = 0x7f454c46;
  private static final int TYPE_RELOCATABLE = 1;
  private static final int TYPE_SHARED = 3;
  private static final int SEGMENT_LOAD = 1;
  private static final int SEGMENT_EXECUTABLE = 1;
  private static final int SMALLEST = 52;

  /** Each address lookup is linear in their number. */
  private static final int MOST_LOADED = 128;

  /** Mappings start at a page's start, segments need not. */
  private static final int LARGEST_PAGE = 1 << 16;

  private static final int MOST_SECTIONS = 1 << 16;
  private static final int MOST_SECTION_NAMES = 1 << 20;

  /** The heap size of a section's header. */
  private static final int SECTION_BYTES = 80;

  private static final int SEGMENT_BYTES = 64;

  /** Headers that are read at once. */
  private static final int PART = 1 << 10;

  private final UntrustedFile file;
  private final ByteOrder order;
  private final boolean is64;
  private final int machine;
  private final boolean isMoved;
  private final long entry;
  private final List<Segment> segments;
  private final boolean hasGo;

  /** Dropped when the file is closed, as the names are: what is kept of a file needs neither. */
  private List<ElfSection> sections = List.of();

  private ByteBuffer sectionNames = ByteBuffer.allocate(0);
  private long sectionMemory;

  /** A loaded segment. */
  private record Segment(boolean executable, long offset, long address, long fileSize) {
    boolean has(long virtualAddress) {
      return Long.compareUnsigned(virtualAddress - address, fileSize) < 0;
    }

    boolean hasOffset(long fileOffset) {
      return Long.compareUnsigned(fileOffset - offset, fileSize) < 0;
    }
  }

  private ElfFile(UntrustedFile file) throws IOException {
    this.file = file;
    if (file.facts().size() < SMALLEST || file.read(0, 16).getInt(0) != MAGIC) {
      throw new BadElfException(path() + " is not a program or library: it is not an ELF file");
    }
    ByteBuffer ident = file.read(0, 16);
    this.is64 = ident.get(4) == 2;
    this.order = ident.get(5) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer header = bytes(0, is64 ? 64 : 52);
    this.machine = Short.toUnsignedInt(header.getShort(18));
    if (header.getShort(16) == TYPE_RELOCATABLE) {
      throw new BadElfException(path() + " is an object file, which cannot run: link it first");
    }
    this.entry = word(header, 24);
    this.isMoved = header.getShort(16) == TYPE_SHARED;
    this.segments = segments(header);
    readSections(header);
    this.hasGo =
        section(".gopclntab").isPresent()
            || section(".data.rel.ro.gopclntab").isPresent()
            || section(".go.buildinfo").isPresent();
  }

  private void readSections(ByteBuffer header) throws IOException {
    long names = sectionNumber(header);
    sections = sections(header, names);
    if (!sections.isEmpty()) {
      sectionNames = contents(sections.get((int) names), MOST_SECTION_NAMES);
      sectionMemory += sectionNames.limit();
    }
  }

  private void claimSections(long bytes) throws IOException {
    allowance().claim(bytes);
    sectionMemory += bytes;
  }

  /** Drops the headers of the sections: their content can no longer be read. */
  public void forgetSections() {
    sections = List.of();
    sectionNames = ByteBuffer.allocate(0);
    allowance().release(sectionMemory);
    sectionMemory = 0;
  }

  /**
   * Opens a file for reading once.
   *
   * @throws BadElfException if it is not an ELF file
   */
  public static ElfFile open(Path path, ReadBudget budget) throws IOException {
    return of(UntrustedFile.open(path, Links.FOLLOWED, budget));
  }

  /**
   * Reads the headers of a file, and closes it if that fails.
   *
   * @throws BadElfException if it is not an ELF file
   */
  public static ElfFile of(UntrustedFile file) throws IOException {
    try {
      return new ElfFile(file);
    } catch (IOException | RuntimeException | Error e) {
      // Nothing of it is kept.
      file.allowance().release();
      file.close();
      throw e;
    }
  }

  /** Returns the path it was opened by. */
  public Path path() {
    return file.path();
  }

  /** Returns the underlying file. */
  UntrustedFile file() {
    return file;
  }

  /** Returns its status at opening. */
  public FileFacts facts() {
    return file.facts();
  }

  /** Returns its share of the read budget. */
  public Allowance allowance() {
    return file.allowance();
  }

  /** Returns the machine, {@code e_machine}. */
  public int machine() {
    return machine;
  }

  /** Returns whether it is loaded at any address: a library, or a position-independent program. */
  public boolean isMoved() {
    return isMoved;
  }

  /** Returns whether it is a 64-bit file. */
  public boolean is64() {
    return is64;
  }

  /** Returns the byte order of its numbers. */
  public ByteOrder order() {
    return order;
  }

  /** Returns the sections in file order. */
  List<ElfSection> sections() {
    return sections;
  }

  /** Returns whether Go's compiler made some of the code. */
  public boolean hasGo() {
    return hasGo;
  }

  /** Returns the section of this name. */
  Optional<ElfSection> section(String name) {
    byte[] wanted = (name + "\0").getBytes(StandardCharsets.US_ASCII);
    return sections.stream().filter(section -> isNamed(section, wanted)).findFirst();
  }

  private boolean isNamed(ElfSection section, byte[] wanted) {
    int start = section.nameOffset();
    if (start < 0 || start > sectionNames.limit() - wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (sectionNames.get(start + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the content of a section, empty if it has none. Its size is claimed, to be released by
   * callers that do not keep it.
   *
   * @param most the maximum number of bytes to read
   */
  ByteBuffer contents(ElfSection section, int most) throws IOException {
    if (section.storedSize() == 0) {
      return ByteBuffer.allocate(0).order(order);
    }
    if (Long.compareUnsigned(section.size(), most) > 0) {
      throw new BadElfException(path() + " has a section of " + section.size() + " bytes");
    }
    return claimed(section.offset(), (int) section.size());
  }

  /** Claims the memory for a part of the file, and reads it. */
  private ByteBuffer claimed(long offset, int size) throws IOException {
    if (offset < 0 || offset > file.facts().size() - size) {
      throw ended(offset);
    }
    allowance().claim(size);
    return bytes(offset, size);
  }

  /** Returns the address at which the program starts, 0 for a library. */
  public long entry() {
    return entry;
  }

  /** Returns the lowest address of code. */
  public OptionalLong firstCode() {
    return segments.stream()
        .filter(Segment::executable)
        .map(Segment::address)
        .min(Long::compareUnsigned)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** Returns the file offset of the code at an address; empty if there is no code. */
  public OptionalLong codeOffset(long address) {
    return segments.stream()
        .filter(segment -> segment.executable() && segment.has(address))
        .mapToLong(segment -> address - segment.address() + segment.offset())
        .findFirst();
  }

  /**
   * Code of a file.
   *
   * @param offset its start, in bytes from the file's start
   */
  public record Code(long offset, ByteBuffer bytes) {}

  /**
   * Reads the code section or segment that contains an offset; empty if missing, or it is larger
   * than {@code most} bytes. Its size is claimed.
   */
  public Optional<Code> codeAround(long offset, int most) throws IOException {
    for (Segment segment : segments) {
      if (segment.executable() && segment.hasOffset(offset)) {
        return Long.compareUnsigned(segment.fileSize(), most) <= 0
            ? Optional.of(
                new Code(segment.offset(), claimed(segment.offset(), (int) segment.fileSize())))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Reads code from an address on, up to the end of its segment; empty if missing. Its size is
   * claimed.
   *
   * @param most the maximum number of bytes to read
   */
  public byte[] code(long address, int most) throws IOException {
    for (Segment segment : segments) {
      if (segment.executable() && segment.has(address)) {
        long skipped = address - segment.address();
        int size = (int) Math.min(most, segment.fileSize() - skipped);
        return claimed(segment.offset() + skipped, size).array();
      }
    }
    return new byte[0];
  }

  /** Returns the file offset of an address; empty if the file has no content for it. */
  public OptionalLong dataOffset(long address) {
    return segments.stream()
        .filter(segment -> segment.has(address))
        .mapToLong(segment -> address - segment.address() + segment.offset())
        .findFirst();
  }

  /**
   * Returns the difference between addresses in memory and in the file, by one of its mappings.
   *
   * @param start where the code is mapped
   * @param offset what is mapped there, in bytes from the file's start
   */
  public OptionalLong bias(long start, long offset) {
    return segments.stream()
        .filter(Segment::executable)
        .filter(segment -> Long.compareUnsigned(segment.offset() - offset, LARGEST_PAGE) < 0)
        .mapToLong(segment -> start - (segment.address() - (segment.offset() - offset)))
        .findFirst();
  }

  /** Returns the address of a file offset. */
  public OptionalLong address(long offset) {
    return segments.stream()
        .filter(segment -> segment.hasOffset(offset))
        .mapToLong(segment -> offset - segment.offset() + segment.address())
        .findFirst();
  }

  private List<Segment> segments(ByteBuffer header) throws IOException {
    int size = is64 ? 56 : 32;
    int count = Short.toUnsignedInt(header.getShort(is64 ? 56 : 44));
    if (count == 0) {
      return List.of();
    }
    requireEntrySize(header.getShort(is64 ? 54 : 42), size);
    long table = word(header, is64 ? 32 : 28);
    List<Segment> found = new ArrayList<>();
    for (int first = 0; first < count; first += PART) {
      int part = Math.min(PART, count - first);
      addLoaded(bytes(table + (long) first * size, part * size), size, found);
      if (found.size() > MOST_LOADED) {
        throw new BadElfException(path() + " has " + found.size() + " segments to load");
      }
    }
    return found;
  }

  private void addLoaded(ByteBuffer entries, int size, List<Segment> found) throws IOException {
    for (int start = 0; start < entries.limit(); start += size) {
      if (entries.getInt(start) == SEGMENT_LOAD) {
        allowance().claim(SEGMENT_BYTES);
        int flags = entries.getInt(start + (is64 ? 4 : 24));
        found.add(
            new Segment(
                (flags & SEGMENT_EXECUTABLE) != 0,
                word(entries, start + (is64 ? 8 : 4)),
                word(entries, start + (is64 ? 16 : 8)),
                word(entries, start + (is64 ? 32 : 16))));
      }
    }
  }

  private void requireEntrySize(short size, int expected) throws BadElfException {
    if (size != expected) {
      throw new BadElfException(
          path() + " has headers of " + size + " bytes instead of " + expected);
    }
  }

  /** Returns the index of the section name table. */
  private long sectionNumber(ByteBuffer header) throws IOException {
    long start = word(header, is64 ? 40 : 32);
    int number = Short.toUnsignedInt(header.getShort(is64 ? 62 : 50));
    return start != 0 && number == 0xffff
        ? section(bytes(start, sectionHeaderSize()), 0).link()
        : number;
  }

  private int sectionHeaderSize() {
    return is64 ? 64 : 40;
  }

  private List<ElfSection> sections(ByteBuffer header, long names) throws IOException {
    long start = word(header, is64 ? 40 : 32);
    int size = sectionHeaderSize();
    if (start == 0) {
      return List.of();
    }
    requireEntrySize(header.getShort(is64 ? 58 : 46), size);
    long count = Short.toUnsignedInt(header.getShort(is64 ? 60 : 48));
    if (count == 0) {
      // An index too large for the header is in the first section header.
      count = section(bytes(start, size), 0).size();
    }
    if (Long.compareUnsigned(count, MOST_SECTIONS) > 0 || names < 0 || names >= count) {
      throw new BadElfException(path() + " has " + count + " sections, their names in " + names);
    }
    if (start < 0 || start > file.facts().size() - count * size) {
      throw ended(start);
    }
    claimSections(count * SECTION_BYTES);
    List<ElfSection> found = new ArrayList<>((int) count);
    for (long first = 0; first < count; first += PART) {
      int part = (int) Math.min(PART, count - first);
      ByteBuffer entries = bytes(start + first * size, part * size);
      for (int i = 0; i < part; i++) {
        found.add(section(entries, i * size));
      }
    }
    return found;
  }

  private ElfSection section(ByteBuffer entries, int start) {
    return new ElfSection(
        entries.getInt(start),
        entries.getInt(start + 4),
        word(entries, start + 8),
        word(entries, start + (is64 ? 16 : 12)),
        word(entries, start + (is64 ? 24 : 16)),
        word(entries, start + (is64 ? 32 : 20)),
        entries.getInt(start + (is64 ? 40 : 24)));
  }

  /** Reads an address or size at an offset of a structure. */
  long word(ByteBuffer structure, int offset) {
    return is64 ? structure.getLong(offset) : Integer.toUnsignedLong(structure.getInt(offset));
  }

  /** Reads a string up to its NUL, at most {@code most} bytes. */
  static String text(ByteBuffer strings, int start, int most) {
    if (start < 0 || start >= strings.limit()) {
      return "";
    }
    int limit = (int) Math.min(strings.limit(), (long) start + most);
    int end = start;
    while (end < limit && strings.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - start];
    strings.get(start, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Reads a part of the file. */
  ByteBuffer bytes(long offset, int size) throws IOException {
    try {
      return file.read(offset, size).order(order);
    } catch (EOFException e) {
      throw ended(offset);
    }
  }

  private BadElfException ended(long offset) {
    return new BadElfException(path() + " ends before what it says it has at offset " + offset);
  }

  @Override
  public void close() {
    forgetSections();
    file.close();
  }
}
