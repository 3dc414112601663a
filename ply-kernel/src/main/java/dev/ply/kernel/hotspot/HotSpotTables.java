package dev.ply.kernel.hotspot;

import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables of its structures that a HotSpot runtime exports for debuggers ({@code
 * gHotSpotVMStructs}, vmStructs.hpp). Both the file and the memory can be a stranger's: reads are
 * bounded, and what does not add up is not a runtime. Not thread-safe.
 */
public final class HotSpotTables {
  private static final int MOST_ENTRIES = 1 << 14;
  private static final int LARGEST_ENTRY = 1 << 8;

  /** No structure of a runtime is as large. */
  static final int LARGEST_OBJECT = 1 << 12;

  private final HotSpotMemory memory;
  private final ElfSymbols symbols;
  private final long bias;

  private HotSpotTables(HotSpotMemory memory, ElfSymbols symbols, long bias) {
    this.memory = memory;
    this.symbols = symbols;
    this.bias = bias;
  }

  /** Reads something of a runtime. */
  public interface Reading<T> {
    /** Returns what was read. */
    T read(HotSpotTables tables) throws IOException;
  }

  /**
   * Reads something of a process's runtime; empty if it has none that describes itself.
   *
   * @param library a mapping of {@code libjvm.so}
   */
  public static <T> Optional<T> read(
      ProcessMaps maps, Mapping library, ReadBudget budget, Reading<T> reading) {
    try (HotSpotMemory memory = HotSpotMemory.open(maps.pid())) {
      return read(maps, library, memory, budget, reading);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Reads something of a runtime from a process's memory. */
  public static <T> Optional<T> read(
      ProcessMaps maps,
      Mapping library,
      HotSpotMemory memory,
      ReadBudget budget,
      Reading<T> reading) {
    Claim before = budget.claims();
    try (UntrustedFile opened = maps.open(library, budget);
        ElfFile file = ElfFile.of(opened)) {
      return Optional.of(reading.read(of(memory, file, library)));
    } catch (IOException | RuntimeException e) {
      // Not readable, or nothing that HotSpot writes.
      return Optional.empty();
    } finally {
      // The symbols are not kept.
      budget.handOver(before).release();
    }
  }

  private static HotSpotTables of(HotSpotMemory memory, ElfFile file, Mapping library)
      throws IOException {
    if (!file.is64()) {
      throw new IOException("a runtime of 32 bits");
    }
    long bias = file.bias(library.start(), library.offset()).orElseThrow();
    return new HotSpotTables(memory, ElfSymbols.ofExportedVariables(file), bias);
  }

  /** Returns the memory that the tables are in. */
  public HotSpotMemory memory() {
    return memory;
  }

  /** A static field, or one of each object. */
  public record Field(long offset, long address) {}

  /** Returns the fields of some types, by {@code Type.field}. */
  public Map<String, Field> fields(Set<String> types) throws IOException {
    long table = memory.word(symbol("gHotSpotVMStructs"));
    int typeName = offset("gHotSpotVMStructEntryTypeNameOffset");
    int fieldName = offset("gHotSpotVMStructEntryFieldNameOffset");
    int offset = offset("gHotSpotVMStructEntryOffsetOffset");
    int address = offset("gHotSpotVMStructEntryAddressOffset");
    int stride = offset("gHotSpotVMStructEntryArrayStride");
    Map<String, Field> found = new HashMap<>();
    for (int i = 0; i < MOST_ENTRIES; i++) {
      ByteBuffer entry = memory.bytes(table + (long) i * stride, stride);
      if (entry.getLong(typeName) == 0) {
        break;
      }
      String type = memory.name(entry.getLong(typeName));
      if (types.contains(type)) {
        found.put(
            type + "." + memory.name(entry.getLong(fieldName)),
            new Field(entry.getLong(offset), entry.getLong(address)));
      }
    }
    return found;
  }

  /** Returns the size of a type, at most 256 bytes. */
  public int typeSize(String type) throws IOException {
    Integer size = sizes(Set.of(type)).get(type);
    if (size == null) {
      throw new IOException("the runtime does not tell the size of its " + type);
    }
    return checked(size);
  }

  /** Returns the sizes of some types, as far as the runtime tells them. */
  Map<String, Integer> sizes(Set<String> types) throws IOException {
    long table = memory.word(symbol("gHotSpotVMTypes"));
    int typeName = offset("gHotSpotVMTypeEntryTypeNameOffset");
    int size = offset("gHotSpotVMTypeEntrySizeOffset");
    int stride = offset("gHotSpotVMTypeEntryArrayStride");
    Map<String, Integer> sizes = new HashMap<>();
    for (int i = 0; i < MOST_ENTRIES; i++) {
      ByteBuffer entry = memory.bytes(table + (long) i * stride, stride);
      if (entry.getLong(typeName) == 0) {
        break;
      }
      String type = memory.name(entry.getLong(typeName));
      if (types.contains(type) && entry.getLong(size) <= LARGEST_OBJECT) {
        sizes.put(type, (int) entry.getLong(size));
      }
    }
    return sizes;
  }

  private long symbol(String name) throws IOException {
    List<ElfSymbol> found = symbols.named(name);
    if (found.isEmpty()) {
      throw new IOException("the runtime has no " + name);
    }
    return bias + found.get(0).address();
  }

  /** Reads an offset inside an entry, or an entry's size. */
  private int offset(String symbol) throws IOException {
    return checked(memory.word(symbol(symbol)));
  }

  /** Checks an offset inside an entry, or an entry's size. */
  public static int checked(long size) throws IOException {
    if (size < 0 || size > LARGEST_ENTRY) {
      throw new IOException("an entry of " + size + " bytes");
    }
    return (int) size;
  }
}
