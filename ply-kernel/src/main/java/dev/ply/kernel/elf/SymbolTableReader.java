package dev.ply.kernel.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;

/** Reads the functions or variables of a symbol table in chunks. */
final class SymbolTableReader {
  private static final int INDIRECT_FUNCTION = 10;
  private static final int UNDEFINED = 0;
  private static final int HIDDEN_VERSION = 0x8000;

  /** Symbols per chunk. */
  private static final int PART = 2048;

  private static final int LARGEST_SECTION = 1 << 28;
  private static final int LARGEST_VERSIONS = 1 << 24;

  /** The memory per function, and that for reading, sorting and copying. */
  private static final int BYTES_EACH = 21;

  private static final int BYTES_EACH_READ = 2 * BYTES_EACH + 2 * Integer.BYTES;

  private final ElfFile file;
  private final Set<Integer> wanted;
  private final ByteBuffer versions;
  private final int entrySize;
  private int count;
  private int capacity;
  private long[] addresses = new long[0];
  private long[] sizes = new long[0];
  private int[] names = new int[0];
  private byte[] traits = new byte[0];

  private SymbolTableReader(ElfFile file, Set<Integer> wanted, ByteBuffer versions) {
    this.file = file;
    this.wanted = wanted;
    this.versions = versions;
    this.entrySize = file.is64() ? 24 : 16;
  }

  /** Receives each requested symbol. */
  private interface Visitor {
    void visit(ByteBuffer entries, int start, int number);
  }

  /**
   * Reads the table of a section type; empty if the file has none.
   *
   * @param wanted the types of symbols to read
   * @param versions the section with the versions of its symbols, if any
   */
  static Optional<ElfSymbols> read(
      ElfFile file, int type, Set<Integer> wanted, Optional<ElfSection> versions)
      throws IOException {
    Optional<ElfSection> table =
        file.sections().stream().filter(section -> section.type() == type).findFirst();
    if (table.isEmpty()) {
      return Optional.empty();
    }
    int link = table.get().link();
    if (link < 0 || link >= file.sections().size()) {
      throw new BadElfException(file.path() + " has a symbol table without names");
    }
    ByteBuffer numbers = ByteBuffer.allocate(0);
    if (versions.isPresent()) {
      numbers = file.contents(versions.get(), LARGEST_VERSIONS);
    }
    SymbolTableReader reader = new SymbolTableReader(file, wanted, numbers);
    reader.readTable(table.get());
    file.allowance().release(numbers.limit());
    // Sorted before the names are read, which are as large again.
    reader.sort();
    byte[] text = file.contents(file.sections().get(link), LARGEST_SECTION).array();
    return Optional.of(
        new ElfSymbols(text, reader.addresses, reader.sizes, reader.names, reader.traits));
  }

  /** Counts the functions first, so that no more memory is claimed than they take. */
  private void readTable(ElfSection table) throws IOException {
    visit(table, (entries, start, number) -> capacity++);
    file.allowance().claim((long) capacity * BYTES_EACH_READ);
    addresses = new long[capacity];
    sizes = new long[capacity];
    names = new int[capacity];
    traits = new byte[capacity];
    visit(table, this::add);
  }

  private void visit(ElfSection table, Visitor visitor) throws IOException {
    if (Long.compareUnsigned(table.size(), LARGEST_SECTION) > 0) {
      throw new BadElfException(file.path() + " has a symbol table of " + table.size() + " bytes");
    }
    long symbols = table.size() / entrySize;
    for (long first = 0; first < symbols; first += PART) {
      int part = (int) Math.min(PART, symbols - first);
      ByteBuffer entries = file.bytes(table.offset() + first * entrySize, part * entrySize);
      for (int i = 0; i < part; i++) {
        if (isWanted(entries, i * entrySize)) {
          visitor.visit(entries, i * entrySize, (int) first + i);
        }
      }
      file.allowance().requireTime();
    }
  }

  private int type(ByteBuffer entries, int start) {
    return entries.get(start + (file.is64() ? 4 : 12)) & 0xf;
  }

  private boolean isWanted(ByteBuffer entries, int start) {
    return wanted.contains(type(entries, start))
        && entries.getShort(start + (file.is64() ? 6 : 14)) != UNDEFINED
        && entries.getInt(start) != 0;
  }

  private void add(ByteBuffer entries, int start, int number) {
    // The file may have been written to since they were counted.
    if (count == capacity) {
      return;
    }
    addresses[count] = file.word(entries, start + (file.is64() ? 8 : 4));
    sizes[count] = file.word(entries, start + (file.is64() ? 16 : 8));
    names[count] = entries.getInt(start);
    traits[count] =
        (byte)
            ((type(entries, start) == INDIRECT_FUNCTION ? ElfSymbols.INDIRECT : 0)
                | (isHidden(number) ? ElfSymbols.SUPERSEDED : 0));
    count++;
  }

  private boolean isHidden(int number) {
    return number * 2 + 2 <= versions.limit()
        && (versions.getShort(number * 2) & HIDDEN_VERSION) != 0;
  }

  private void sort() {
    int[] order = AddressOrder.of(addresses, count);
    long[] sortedAddresses = new long[count];
    long[] sortedSizes = new long[count];
    int[] sortedNames = new int[count];
    byte[] sortedTraits = new byte[count];
    for (int i = 0; i < count; i++) {
      sortedAddresses[i] = addresses[order[i]];
      sortedSizes[i] = sizes[order[i]];
      sortedNames[i] = names[order[i]];
      sortedTraits[i] = traits[order[i]];
    }
    file.allowance().release((long) capacity * BYTES_EACH_READ - (long) count * BYTES_EACH);
    addresses = sortedAddresses;
    sizes = sortedSizes;
    names = sortedNames;
    traits = sortedTraits;
  }
}
