package dev.ply.kernel.jit;

import dev.ply.kernel.hotspot.HotSpotMemory;
import dev.ply.kernel.hotspot.HotSpotTables;
import dev.ply.kernel.hotspot.HotSpotTables.Field;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  private static final int MOST_FLAGS = 1 << 13;

  /** Reads the runtime of a process; empty if it has none that describes itself. */
  static Optional<HotSpotRuntime> of(ProcessMaps maps, Mapping library, ReadBudget budget) {
    return HotSpotTables.read(maps, library, budget, HotSpotRuntime::read);
  }

  private static HotSpotRuntime read(HotSpotTables tables) throws IOException {
    HotSpotMemory memory = tables.memory();
    Map<String, Field> fields = tables.fields(Set.of("JVMFlag", "Abstract_VM_Version"));
    Field version = fields.get("Abstract_VM_Version._vm_major_version");
    Field flags = fields.get("JVMFlag.flags");
    Field count = fields.get("JVMFlag.numFlags");
    Field name = fields.get("JVMFlag._name");
    Field value = fields.get("JVMFlag._addr");
    if (version == null || flags == null || count == null || name == null || value == null) {
      throw new IOException("the runtime does not describe its flags");
    }
    long first = memory.word(flags.address());
    long most = Math.min(memory.word(count.address()), MOST_FLAGS);
    int size = tables.typeSize("JVMFlag");
    for (int i = 0; i < most; i++) {
      ByteBuffer flag = memory.bytes(first + (long) i * size, size);
      long text = flag.getLong(HotSpotTables.checked(name.offset()));
      if (text != 0 && memory.name(text).equals("DisableAttachMechanism")) {
        long place = flag.getLong(HotSpotTables.checked(value.offset()));
        int number = memory.bytes(version.address(), Integer.BYTES).getInt(0);
        return new HotSpotRuntime(number, memory.bytes(place, 1).get(0) != 0);
      }
    }
    throw new IOException("the runtime has no flag DisableAttachMechanism");
  }
}
