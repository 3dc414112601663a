package dev.ply.kernel.elf;

import dev.ply.kernel.untrusted.BudgetExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

  /** The memory per function during reading, sorting and copying. */
  private static final int BYTES_EACH = 48;

  private static final int FIRST_CAPACITY = 256;

  private final ElfFile file;
  private final Set<Integer> wanted;
  private final ByteBuffer versions;
  private final int entrySize;
  private int count;
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
      claim(file, versions.get(), LARGEST_VERSIONS);
      numbers = file.contents(versions.get(), LARGEST_VERSIONS);
    }
    SymbolTableReader reader = new SymbolTableReader(file, wanted, numbers);
    reader.readTable(table.get());
    ElfSection strings = file.sections().get(link);
    claim(file, strings, LARGEST_SECTION);
    return Optional.of(reader.sorted(file.contents(strings, LARGEST_SECTION).array()));
  }

  private static void claim(ElfFile file, ElfSection section, int most)
      throws BudgetExceededException {
    // Larger tables are refused without being read.
    if (Long.compareUnsigned(section.size(), most) <= 0) {
      file.allowance().claim(section.size());
    }
  }

  private void readTable(ElfSection table) throws IOException {
    if (Long.compareUnsigned(table.size(), LARGEST_SECTION) > 0) {
      throw new BadElfException(file.path() + " has a symbol table of " + table.size() + " bytes");
    }
    long symbols = table.size() / entrySize;
    for (long first = 0; first < symbols; first += PART) {
      int part = (int) Math.min(PART, symbols - first);
      ByteBuffer entries = file.bytes(table.offset() + first * entrySize, part * entrySize);
      for (int i = 0; i < part; i++) {
        add(entries, i * entrySize, (int) first + i);
      }
      file.allowance().requireTime();
    }
  }

  private void add(ByteBuffer entries, int start, int number) throws BudgetExceededException {
    int type = entries.get(start + (file.is64() ? 4 : 12)) & 0xf;
    int section = entries.getShort(start + (file.is64() ? 6 : 14));
    int name = entries.getInt(start);
    if (!wanted.contains(type) || section == UNDEFINED || name == 0) {
      return;
    }
    if (count == addresses.length) {
      grow();
    }
    addresses[count] = file.word(entries, start + (file.is64() ? 8 : 4));
    sizes[count] = file.word(entries, start + (file.is64() ? 16 : 8));
    names[count] = name;
    traits[count] =
        (byte)
            ((type == INDIRECT_FUNCTION ? ElfSymbols.INDIRECT : 0)
                | (isHidden(number) ? ElfSymbols.SUPERSEDED : 0));
    count++;
  }

  private void grow() throws BudgetExceededException {
    int capacity = Math.max(FIRST_CAPACITY, 2 * count);
    file.allowance().claim((long) (capacity - count) * BYTES_EACH);
    addresses = Arrays.copyOf(addresses, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
    names = Arrays.copyOf(names, capacity);
    traits = Arrays.copyOf(traits, capacity);
  }

  private boolean isHidden(int number) {
    return number * 2 + 2 <= versions.limit()
        && (versions.getShort(number * 2) & HIDDEN_VERSION) != 0;
  }

  private ElfSymbols sorted(byte[] text) {
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
    return new ElfSymbols(text, sortedAddresses, sortedSizes, sortedNames, sortedTraits);
  }
}
