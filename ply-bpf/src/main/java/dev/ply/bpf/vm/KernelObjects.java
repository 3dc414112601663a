package dev.ply.bpf.vm;

import dev.ply.type.AddressSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's structures that helpers return pointers to: the running thread's task_struct, and
 * the registers that it saved when it came from user space.
 */
final class KernelObjects {
  private static final int NAME_SIZE = 16;

  /** As large as the saved registers of any architecture, at least. */
  private static final int REGISTERS_SIZE = 512;

  private final MachineMemory memory;
  private @Nullable Region thread;
  private @Nullable Region registers;

  KernelObjects(MachineMemory memory) {
    this.memory = memory;
  }

  /**
   * Returns the address of the running thread's structure. The words before the filler, the numbers
   * and the name are in it, the rest is there to be noticed.
   */
  long thread(Task task) {
    Region struct = thread;
    if (struct == null) {
      struct = memory.map(Region.Kind.TASK, "", new byte[Task.NAME_OFFSET + NAME_SIZE]);
      struct.forget();
      Arrays.fill(struct.bytes(), 0, Task.INFO_SIZE, (byte) 0);
      thread = struct;
    }
    ByteBuffer.wrap(struct.bytes())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(Task.CPU_OFFSET, task.cpu())
        .putInt(Task.PID_OFFSET, task.tid())
        .putInt(Task.PID_OFFSET + Integer.BYTES, task.pid());
    byte[] name = task.comm().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(name.length, NAME_SIZE - 1);
    byte[] padded = Arrays.copyOf(Arrays.copyOf(name, length), NAME_SIZE);
    System.arraycopy(padded, 0, struct.bytes(), Task.NAME_OFFSET, NAME_SIZE);
    return struct.address();
  }

  /** Returns the address of its registers: what the memory around it has where they are. */
  long registers(Task task) {
    Region saved = registers;
    if (saved == null) {
      saved = memory.map(Region.Kind.REGISTERS, "", new byte[REGISTERS_SIZE]);
      registers = saved;
    }
    byte[] bytes = saved.bytes();
    for (int i = 0; i < bytes.length; i++) {
      int there = task.memory().byteAt(AddressSpace.KERNEL, Task.REGISTERS + i);
      bytes[i] = there < 0 ? Region.FILLER : (byte) there;
    }
    return saved.address();
  }
}
