package dev.ply.bpf.vm.helper;

import dev.ply.bpf.vm.map.HelperError;
import dev.ply.bpf.vm.memory.MachineMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Helpers that format, print and compare strings. */
final class PrintHelpers {
  private static final int REGISTER_VALUES = 3;

  /** Maximum number of arguments in an array (MAX_BPRINTF_VARARGS). */
  private static final int MAX_VALUES = 12;

  private final MachineMemory memory;
  private final List<SideEffect> effects;

  PrintHelpers(MachineMemory memory, List<SideEffect> effects) {
    this.memory = memory;
    this.effects = effects;
  }

  /** Implements bpf_trace_printk, with arguments in r3 to r5. */
  long print(ProbeReader probe, byte[] format, long[] r) {
    return print(probe, format, REGISTER_VALUES, index -> r[3 + index]);
  }

  /** Implements bpf_trace_vprintk, with arguments in an array. */
  long print(ProbeReader probe, byte[] format, byte[] values) {
    if (values.length % Long.BYTES != 0 || values.length > MAX_VALUES * Long.BYTES) {
      return -HelperError.EINVAL;
    }
    return print(probe, format, values.length / Long.BYTES, longs(values));
  }

  /** Implements bpf_snprintf: truncates, NUL-terminates, returns the full size with the NUL. */
  long write(ProbeReader probe, long destination, int size, byte[] format, byte[] values) {
    if (values.length % Long.BYTES != 0 || values.length > MAX_VALUES * Long.BYTES) {
      return -HelperError.EINVAL;
    }
    return KernelFormat.apply(probe, format, values.length / Long.BYTES, longs(values))
        .map(
            text -> {
              if (size > 0) {
                byte[] whole = Arrays.copyOf(text, Math.min(text.length, size - 1) + 1);
                whole[whole.length - 1] = 0;
                memory.write(destination, size, whole, whole.length);
              }
              return text.length + 1;
            })
        .orElse(-HelperError.EINVAL);
  }

  /** Implements bpf_strncmp: compares at most {@code first.length} bytes, up to a NUL. */
  long compare(byte[] first, long second) {
    for (int i = 0; i < first.length; i++) {
      int a = first[i] & 0xff;
      int b = memory.read(second + i, 1)[0] & 0xff;
      if (a != b) {
        return a < b ? -1 : 1;
      }
      if (a == 0) {
        return 0;
      }
    }
    return 0;
  }

  /** Returns the bytes of a constant string, without its NUL. */
  byte[] constant(long address) {
    int length = 0;
    while (memory.read(address + length, 1)[0] != 0) {
      length++;
    }
    return memory.read(address, length);
  }

  private long print(ProbeReader probe, byte[] format, int available, KernelFormat.Values values) {
    return KernelFormat.apply(probe, format, available, values)
        .map(
            text -> {
              effects.add(new SideEffect.Printed(new String(text, StandardCharsets.UTF_8)));
              return text.length;
            })
        .orElse(-HelperError.EINVAL);
  }

  private static KernelFormat.Values longs(byte[] values) {
    ByteBuffer buffer = ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
    return index -> buffer.getLong(index * Long.BYTES);
  }
}
