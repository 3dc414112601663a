package dev.ply.kernel.user;

import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.user.ProcessMaps.Mapping;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A HotSpot runtime of another process: its version and flags, whether they come from a command
 * line, an environment variable or a file. Read from the process's memory by the tables that
 * HotSpot exports for debuggers, {@code gHotSpotVMStructs} and {@code gHotSpotVMTypes}.
 *
 * @param version the feature release, 17 for JDK 17
 * @param flags those of {@link #READ} that the runtime has
 */
record HotSpot(int version, Map<String, Boolean> flags) {
  /** The runtime's library. */
  private static final String LIBRARY = "/libjvm.so";

  /** Refuses the attach protocol. */
  static final String DISABLE_ATTACH = "DisableAttachMechanism";

  /** Leaves SIGQUIT alone; -Xrs is its short form. */
  static final String REDUCE_SIGNALS = "ReduceSignalUsage";

  private static final Set<String> READ = Set.of(DISABLE_ATTACH, REDUCE_SIGNALS);

  /** The size of a VMStructEntry of a 64-bit runtime, and the offsets of its members. */
  private static final int STRUCT_ENTRY = 48;

  private static final int FIELD_NAME = 8;
  private static final int OFFSET = 32;
  private static final int ADDRESS = 40;

  /** The size of a VMTypeEntry, and the offset of the type's size. */
  private static final int TYPE_ENTRY = 40;

  private static final int TYPE_SIZE = 32;

  /** The limits of tables and names, several times what JDK 25 has. */
  private static final int MOST_ENTRIES = 1 << 14;

  private static final int LONGEST_NAME = 96;
  private static final int LARGEST_TYPE = 1 << 10;

  HotSpot {
    flags = Map.copyOf(flags);
  }

  /** Returns whether a mapped file is the library of a Java runtime, of any make. */
  static boolean isRuntime(String file) {
    return file.endsWith(LIBRARY);
  }

  /** Returns whether a flag is known to be off. */
  boolean isOff(String flag) {
    return Boolean.FALSE.equals(flags.get(flag));
  }

  /** Reads a process's runtime; empty if it is not HotSpot's, or not of this layout. */
  static Optional<HotSpot> of(ProcessMaps maps, ReadBudget budget) {
    Optional<Mapping> library =
        maps.mappings().stream()
            .filter(mapping -> isRuntime(mapping.name()) && mapping.offset() == 0)
            .findFirst();
    if (library.isEmpty()) {
      return Optional.empty();
    }
    try (ElfFile file = ElfFile.open(maps.mapped(library.get()), budget);
        FileChannel memory = FileChannel.open(Path.of("/proc/" + maps.pid() + "/mem"))) {
      if (!file.is64()) {
        return Optional.empty();
      }
      OptionalLong linked = file.address(0);
      ElfSymbols variables = ElfSymbols.ofVariables(file);
      long base = library.get().start() - linked.orElse(0);
      return new Reader(memory).read(variables, base);
    } catch (IOException | IllegalArgumentException e) {
      // Without permission, or the process has exited.
      return Optional.empty();
    }
  }

  /** Reads tables of a process's memory, which can contain anything. */
  private static final class Reader {
    private final FileChannel memory;
    private final Map<String, ByteBuffer> fields = new HashMap<>();
    private long flagSize;

    Reader(FileChannel memory) {
      this.memory = memory;
    }

    Optional<HotSpot> read(ElfSymbols variables, long base) throws IOException {
      Optional<Long> structs = variable(variables, "gHotSpotVMStructs", base);
      Optional<Long> types = variable(variables, "gHotSpotVMTypes", base);
      if (structs.isEmpty() || types.isEmpty()) {
        return Optional.empty();
      }
      readFields(structs.get());
      readFlagSize(types.get());
      ByteBuffer version = fields.get("Abstract_VM_Version._vm_major_version");
      return version == null
          ? Optional.empty()
          : Optional.of(new HotSpot(bytes(version.getLong(ADDRESS), 4).getInt(0), flags()));
    }

    /** The variable of the library is a pointer to the table. */
    private Optional<Long> variable(ElfSymbols variables, String name, long base)
        throws IOException {
      Optional<ElfSymbol> found = variables.named(name).stream().findFirst();
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(bytes(base + found.get().address(), Long.BYTES).getLong(0));
    }

    private void readFields(long table) throws IOException {
      for (int i = 0; i < MOST_ENTRIES; i++) {
        ByteBuffer entry = bytes(table + (long) i * STRUCT_ENTRY, STRUCT_ENTRY);
        if (entry.getLong(0) == 0) {
          return;
        }
        String type = name(entry.getLong(0));
        if (type.equals("JVMFlag") || type.equals("Abstract_VM_Version")) {
          fields.put(type + "." + name(entry.getLong(FIELD_NAME)), entry);
        }
      }
    }

    private void readFlagSize(long table) throws IOException {
      for (int i = 0; i < MOST_ENTRIES && flagSize == 0; i++) {
        ByteBuffer entry = bytes(table + (long) i * TYPE_ENTRY, TYPE_ENTRY);
        if (entry.getLong(0) == 0) {
          return;
        }
        if (name(entry.getLong(0)).equals("JVMFlag")) {
          flagSize = entry.getLong(TYPE_SIZE);
        }
      }
    }

    private Map<String, Boolean> flags() throws IOException {
      Map<String, Boolean> flags = new HashMap<>();
      ByteBuffer table = fields.get("JVMFlag.flags");
      ByteBuffer count = fields.get("JVMFlag.numFlags");
      ByteBuffer name = fields.get("JVMFlag._name");
      ByteBuffer value = fields.get("JVMFlag._addr");
      if (table == null || count == null || name == null || value == null) {
        return flags;
      }
      long nameOffset = name.getLong(OFFSET);
      long valueOffset = value.getLong(OFFSET);
      long most = flagSize - Long.BYTES;
      if (flagSize > LARGEST_TYPE || !isWithin(nameOffset, most) || !isWithin(valueOffset, most)) {
        return flags;
      }
      long first = bytes(table.getLong(ADDRESS), Long.BYTES).getLong(0);
      long number = bytes(count.getLong(ADDRESS), Long.BYTES).getLong(0);
      for (long i = 0; i < Math.min(number, MOST_ENTRIES) && flags.size() < READ.size(); i++) {
        ByteBuffer flag = bytes(first + i * flagSize, (int) flagSize);
        long address = flag.getLong((int) nameOffset);
        // The last entry has no name.
        String called = address == 0 ? "" : name(address);
        if (READ.contains(called)) {
          flags.put(called, bytes(flag.getLong((int) valueOffset), 1).get(0) != 0);
        }
      }
      return flags;
    }

    private static boolean isWithin(long offset, long most) {
      return offset >= 0 && offset <= most;
    }

    private String name(long address) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_NAME);
      // Fewer, if the next page is not mapped.
      int read = Math.max(0, memory.read(bytes, address));
      int end = 0;
      while (end < read && bytes.get(end) != 0) {
        end++;
      }
      return new String(bytes.array(), 0, end, StandardCharsets.ISO_8859_1);
    }

    private ByteBuffer bytes(long address, int size) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
      if (memory.read(bytes, address) < size) {
        throw new EOFException("memory that is not mapped");
      }
      return bytes;
    }
  }
}
