package dev.ply.bpf.vm.helper;

import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.type.AddressSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The kernel objects that helpers return pointers to: task_struct and saved user registers. */
final class KernelObjects {
  private static final int NAME_SIZE = 16;

  /** At least the size of struct pt_regs on every architecture. */
  private static final int REGISTERS_SIZE = 512;

  private final MachineMemory memory;
  private @Nullable Region thread;
  private @Nullable Region registers;

  KernelObjects(MachineMemory memory) {
    this.memory = memory;
  }

  /**
   * Returns the address of the current task_struct, with thread_info, pid, tgid and comm; the rest
   * is filler.
   */
  long taskStruct(Task task) {
    Region struct = thread;
    if (struct == null) {
      struct = memory.map(Region.Kind.TASK, "", new byte[Task.NAME_OFFSET + NAME_SIZE]);
      struct.reset();
      Arrays.fill(struct.bytes(), 0, Task.INFO_SIZE, (byte) 0);
      thread = struct;
    }
    ByteBuffer.wrap(struct.bytes())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(Task.CPU_OFFSET, task.cpu())
        .putInt(Task.PID_OFFSET, task.identity().tid())
        .putInt(Task.PID_OFFSET + Integer.BYTES, task.identity().pid());
    byte[] name = task.identity().comm().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(name.length, NAME_SIZE - 1);
    byte[] padded = Arrays.copyOf(Arrays.copyOf(name, length), NAME_SIZE);
    System.arraycopy(padded, 0, struct.bytes(), Task.NAME_OFFSET, NAME_SIZE);
    return struct.address();
  }

  /** Returns the address of the saved user registers, copied from the memory of the run. */
  long registers(Task task) {
    Region saved = registers;
    if (saved == null) {
      saved = memory.map(Region.Kind.REGISTERS, "", new byte[REGISTERS_SIZE]);
      registers = saved;
    }
    byte[] bytes = saved.bytes();
    for (int i = 0; i < bytes.length; i++) {
      int next = task.memory().byteAt(AddressSpace.KERNEL, Task.REGISTERS + i);
      bytes[i] = next < 0 ? Region.FILLER : (byte) next;
    }
    return saved.address();
  }
}
