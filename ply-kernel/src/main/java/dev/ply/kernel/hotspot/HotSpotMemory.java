package dev.ply.kernel.hotspot;

import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The memory of a process with a HotSpot runtime, which exports tables of its structures for
 * debuggers ({@code gHotSpotVMStructs}, vmStructs.hpp). Both the file and the memory can be a
 * stranger's: reads are bounded, and what does not add up is not a runtime. Not thread-safe.
 */
public final class HotSpotMemory implements AutoCloseable {
  private static final int MOST_ENTRIES = 1 << 14;
  private static final int LARGEST_ENTRY = 1 << 8;
  private static final int LONGEST_NAME = 64;

  private final FileChannel memory;
  private final ElfSymbols symbols;
  private final long bias;
  private final Map<Long, String> names = new HashMap<>();

  private HotSpotMemory(FileChannel memory, ElfSymbols symbols, long bias) {
    this.memory = memory;
    this.symbols = symbols;
    this.bias = bias;
  }

  /** Reads something of a runtime. */
  public interface Reading<T> {
    /** Returns what was read. */
    T read(HotSpotMemory memory) throws IOException;
  }

  /**
   * Reads something of a process's runtime; empty if it has none that describes itself.
   *
   * @param library a mapping of {@code libjvm.so}
   */
  public static <T> Optional<T> read(
      ProcessMaps maps, Mapping library, ReadBudget budget, Reading<T> reading) {
    Claim before = budget.claims();
    try (UntrustedFile opened = UntrustedFile.open(maps.mapped(library), Links.FOLLOWED, budget);
        ElfFile file = ElfFile.of(opened);
        FileChannel memory =
            FileChannel.open(Path.of("/proc/" + maps.pid() + "/mem"), StandardOpenOption.READ);
        HotSpotMemory runtime = of(memory, file, library)) {
      return Optional.of(reading.read(runtime));
    } catch (IOException | RuntimeException e) {
      // Not readable, or nothing that HotSpot writes.
      return Optional.empty();
    } finally {
      // The symbols are not kept.
      budget.handOver(before).release();
    }
  }

  private static HotSpotMemory of(FileChannel memory, ElfFile file, Mapping library)
      throws IOException {
    if (!file.is64()) {
      throw new IOException("a runtime of 32 bits");
    }
    long bias = file.bias(library.start(), library.offset()).orElseThrow();
    return new HotSpotMemory(memory, ElfSymbols.ofExportedVariables(file), bias);
  }

  /** A static field, or one of each object. */
  public record Field(long offset, long address) {}

  /** Returns the fields of some types, by {@code Type.field}. */
  public Map<String, Field> fields(Set<String> types) throws IOException {
    long table = word(symbol("gHotSpotVMStructs"));
    int typeName = offset("gHotSpotVMStructEntryTypeNameOffset");
    int fieldName = offset("gHotSpotVMStructEntryFieldNameOffset");
    int offset = offset("gHotSpotVMStructEntryOffsetOffset");
    int address = offset("gHotSpotVMStructEntryAddressOffset");
    int stride = offset("gHotSpotVMStructEntryArrayStride");
    Map<String, Field> found = new HashMap<>();
    for (int i = 0; i < MOST_ENTRIES; i++) {
      ByteBuffer entry = bytes(table + (long) i * stride, stride);
      if (entry.getLong(typeName) == 0) {
        break;
      }
      String type = name(entry.getLong(typeName));
      if (types.contains(type)) {
        found.put(
            type + "." + name(entry.getLong(fieldName)),
            new Field(entry.getLong(offset), entry.getLong(address)));
      }
    }
    return found;
  }

  /** Returns the size of a type, at most 256 bytes. */
  public int typeSize(String type) throws IOException {
    long table = word(symbol("gHotSpotVMTypes"));
    int typeName = offset("gHotSpotVMTypeEntryTypeNameOffset");
    int size = offset("gHotSpotVMTypeEntrySizeOffset");
    int stride = offset("gHotSpotVMTypeEntryArrayStride");
    for (int i = 0; i < MOST_ENTRIES; i++) {
      ByteBuffer entry = bytes(table + (long) i * stride, stride);
      if (entry.getLong(typeName) == 0) {
        break;
      }
      if (name(entry.getLong(typeName)).equals(type)) {
        return checked(entry.getLong(size));
      }
    }
    throw new IOException("the runtime does not tell the size of its " + type);
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
    return checked(word(symbol(symbol)));
  }

  /** Checks an offset inside an entry, or an entry's size. */
  public static int checked(long size) throws IOException {
    if (size < 0 || size > LARGEST_ENTRY) {
      throw new IOException("an entry of " + size + " bytes");
    }
    return (int) size;
  }

  /** Reads a word. */
  public long word(long address) throws IOException {
    return bytes(address, Long.BYTES).getLong(0);
  }

  /** Reads a text that several things have. */
  public String name(long address) throws IOException {
    String known = names.get(address);
    if (known == null) {
      known = text(address);
      names.put(address, known);
    }
    return known;
  }

  String text(long address) throws IOException {
    ByteBuffer read = read(address, LONGEST_NAME);
    int end = 0;
    while (end < read.limit() && read.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end];
    read.get(0, text);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Reads bytes, in the order of this machine. */
  public ByteBuffer bytes(long address, int size) throws IOException {
    ByteBuffer read = read(address, size);
    if (read.limit() < size) {
      throw new IOException("nothing is mapped at 0x" + Long.toHexString(address + read.limit()));
    }
    return read;
  }

  private ByteBuffer read(long address, int size) throws IOException {
    if (address < 0) {
      throw new IOException("0x" + Long.toHexString(address) + " is no address of a process");
    }
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    int count = memory.read(buffer, address);
    return buffer.position(0).limit(Math.max(0, count));
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
