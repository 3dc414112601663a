package dev.ply.kernel.jit;

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

/**
 * What a HotSpot runtime is and how it was started, read from its memory. HotSpot exports a table
 * of its structures for debuggers ({@code gHotSpotVMStructs}, vmStructs.hpp): they lead to its
 * version and to the values of its flags, wherever these were set. Both the file and the memory can
 * be a stranger's: reads are bounded, and what does not add up is not a runtime.
 *
 * @param version of Java, 17 for example
 * @param isAttachDisabled whether it runs with {@code -XX:+DisableAttachMechanism}: then it answers
 *     SIGQUIT with a thread dump
 */
record HotSpotRuntime(int version, boolean isAttachDisabled) {
  private static final int MOST_ENTRIES = 1 << 14;
  private static final int MOST_FLAGS = 1 << 13;
  private static final int LARGEST_ENTRY = 1 << 8;
  private static final int LONGEST_NAME = 64;

  /** Reads the runtime of a process; empty if it has none that describes itself. */
  static Optional<HotSpotRuntime> of(ProcessMaps maps, Mapping library, ReadBudget budget) {
    Claim before = budget.claims();
    try (UntrustedFile opened = UntrustedFile.open(maps.mapped(library), Links.FOLLOWED, budget);
        ElfFile file = ElfFile.of(opened);
        FileChannel memory =
            FileChannel.open(Path.of("/proc/" + maps.pid() + "/mem"), StandardOpenOption.READ)) {
      if (!file.is64()) {
        return Optional.empty();
      }
      long bias = file.bias(library.start(), library.offset()).orElseThrow();
      return new Reader(memory, ElfSymbols.ofExportedVariables(file), bias).runtime();
    } catch (IOException | RuntimeException e) {
      // Not readable, or nothing that HotSpot writes.
      return Optional.empty();
    } finally {
      // The symbols are not kept.
      budget.handOver(before).release();
    }
  }

  /** A static field, or one of each object. */
  private record Field(long offset, long address) {}

  /** Follows the tables through memory. */
  private static final class Reader {
    private final FileChannel memory;
    private final ElfSymbols symbols;
    private final long bias;
    private final Map<Long, String> names = new HashMap<>();

    Reader(FileChannel memory, ElfSymbols symbols, long bias) {
      this.memory = memory;
      this.symbols = symbols;
      this.bias = bias;
    }

    Optional<HotSpotRuntime> runtime() throws IOException {
      Map<String, Field> fields = fields();
      Field version = fields.get("Abstract_VM_Version._vm_major_version");
      Field flags = fields.get("JVMFlag.flags");
      Field count = fields.get("JVMFlag.numFlags");
      Field name = fields.get("JVMFlag._name");
      Field value = fields.get("JVMFlag._addr");
      if (version == null || flags == null || count == null || name == null || value == null) {
        return Optional.empty();
      }
      Optional<Boolean> disabled =
          flag("DisableAttachMechanism", word(flags.address()), word(count.address()), name, value);
      int number = bytes(version.address(), Integer.BYTES).getInt(0);
      return disabled.map(isDisabled -> new HotSpotRuntime(number, isDisabled));
    }

    private Map<String, Field> fields() throws IOException {
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
        if (type.equals("JVMFlag") || type.equals("Abstract_VM_Version")) {
          found.put(
              type + "." + name(entry.getLong(fieldName)),
              new Field(entry.getLong(offset), entry.getLong(address)));
        }
      }
      return found;
    }

    /** The size of a flag is in the table of types. */
    private int flagSize() throws IOException {
      long table = word(symbol("gHotSpotVMTypes"));
      int typeName = offset("gHotSpotVMTypeEntryTypeNameOffset");
      int size = offset("gHotSpotVMTypeEntrySizeOffset");
      int stride = offset("gHotSpotVMTypeEntryArrayStride");
      for (int i = 0; i < MOST_ENTRIES; i++) {
        ByteBuffer entry = bytes(table + (long) i * stride, stride);
        if (entry.getLong(typeName) == 0) {
          break;
        }
        if (name(entry.getLong(typeName)).equals("JVMFlag")) {
          return checked(entry.getLong(size));
        }
      }
      throw new IOException("the runtime does not tell the size of its flags");
    }

    private Optional<Boolean> flag(String wanted, long flags, long count, Field name, Field value)
        throws IOException {
      int size = flagSize();
      for (int i = 0; i < Math.min(count, MOST_FLAGS); i++) {
        ByteBuffer flag = bytes(flags + (long) i * size, size);
        long text = flag.getLong(checked(name.offset()));
        if (text != 0 && name(text).equals(wanted)) {
          return Optional.of(bytes(flag.getLong(checked(value.offset())), 1).get(0) != 0);
        }
      }
      return Optional.empty();
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

    private static int checked(long size) throws IOException {
      if (size < 0 || size > LARGEST_ENTRY) {
        throw new IOException("an entry of " + size + " bytes");
      }
      return (int) size;
    }

    private long word(long address) throws IOException {
      return bytes(address, Long.BYTES).getLong(0);
    }

    /** Names of types are shared by their fields. */
    private String name(long address) throws IOException {
      String known = names.get(address);
      if (known == null) {
        known = text(address);
        names.put(address, known);
      }
      return known;
    }

    private String text(long address) throws IOException {
      ByteBuffer read = read(address, LONGEST_NAME);
      int end = 0;
      while (end < read.limit() && read.get(end) != 0) {
        end++;
      }
      byte[] text = new byte[end];
      read.get(0, text);
      return new String(text, StandardCharsets.ISO_8859_1);
    }

    private ByteBuffer bytes(long address, int size) throws IOException {
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
  }
}
