package dev.ply.bpf.vm.helper;

import dev.ply.bpf.vm.map.HelperError;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.SimulatedMemory;
import dev.ply.type.AddressSpace;

/**
 * The probe_read family of helpers.
 *
 * <p>Kernel addresses include the VM's own regions: programs read a tracepoint context past its
 * fixed part this way.
 */
final class ProbeReader {
  private final MachineMemory memory;
  private final SimulatedMemory simulated;

  ProbeReader(MachineMemory memory, SimulatedMemory simulated) {
    this.memory = memory;
    this.simulated = simulated;
  }

  /** Copies {@code size} bytes and returns 0, or zeroes the destination and returns -EFAULT. */
  long read(AddressSpace space, long source, long destination, int size) {
    memory.requireWritable(destination, size);
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      int next = byteAt(space, source + i);
      if (next < 0) {
        return fail(destination, size);
      }
      bytes[i] = (byte) next;
    }
    memory.write(destination, size, bytes, size);
    return 0;
  }

  /**
   * Copies a string of at most {@code size} bytes including its NUL, truncating if necessary.
   *
   * @return its size with the NUL, or -EFAULT with a zeroed destination
   */
  long readString(AddressSpace space, long source, long destination, int size) {
    memory.requireWritable(destination, size);
    byte[] bytes = new byte[size];
    int length = 0;
    while (length < size) {
      int next = byteAt(space, source + length);
      if (next < 0) {
        return fail(destination, size);
      }
      bytes[length++] = (byte) next;
      if (next == 0) {
        break;
      }
    }
    if (length > 0) {
      bytes[length - 1] = 0;
    }
    memory.write(destination, size, bytes, length);
    return length;
  }

  private long fail(long destination, int size) {
    memory.write(destination, size, new byte[size], size);
    return -HelperError.EFAULT;
  }

  /** Returns the byte at {@code address}, 0 to 255, or -1 if unmapped. */
  int byteAt(AddressSpace space, long address) {
    int own = space == AddressSpace.KERNEL ? memory.peek(address) : -1;
    return own >= 0 ? own : simulated.byteAt(space, address);
  }
}
