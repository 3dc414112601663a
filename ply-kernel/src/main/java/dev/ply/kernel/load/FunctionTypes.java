package dev.ply.kernel.load;

import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The BTF of a program's functions, which the kernel requires of those that helpers call (Linux
 * 5.13): all are static functions that return an int. The kernel learns their parameters from the
 * helper.
 */
final class FunctionTypes implements AutoCloseable {
  /** The size of struct bpf_func_info of include/uapi/linux/bpf.h. */
  private static final int RECORD_BYTES = 8;

  private static final int SLOT_BYTES = 8;

  /** The opcode of a 64-bit immediate load, and its source register for functions. */
  private static final int LOAD_WIDE = 0x18;

  private static final int FUNCTION = 4;

  // Kinds of include/uapi/linux/btf.h, in the upper half of a type's info.
  private static final int INT = 1 << 24;
  private static final int FUNC = 12 << 24;
  private static final int FUNC_PROTO = 13 << 24;

  private static final int MAGIC = 0xeb9f;
  private static final int HEADER_BYTES = 24;
  private static final int SIGNED_32_BITS = 1 << 24 | 32;
  private static final int INT_ID = 1;
  private static final int PROTOTYPE_ID = 2;
  private static final int FIRST_FUNCTION_ID = 3;

  private final FileDescriptor types;
  private final NativeMemory records;
  private final int count;

  private FunctionTypes(FileDescriptor types, NativeMemory records, int count) {
    this.types = types;
    this.records = records;
    this.count = count;
  }

  /**
   * Loads the types of a program's functions; empty if helpers call none.
   *
   * @param instructions in the kernel's encoding and the machine's byte order
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   */
  static Optional<FunctionTypes> load(byte[] instructions) {
    List<Integer> entries = entries(instructions);
    if (entries.size() == 1) {
      return Optional.empty();
    }
    NativeMemory records = NativeMemory.allocate(entries.size() * RECORD_BYTES);
    for (int i = 0; i < entries.size(); i++) {
      records
          .bytes()
          .putInt(i * RECORD_BYTES, entries.get(i))
          .putInt(i * RECORD_BYTES + Integer.BYTES, FIRST_FUNCTION_ID + i);
    }
    FileDescriptor types =
        SystemCalls.openBpf(
            BpfCommand.BTF_LOAD,
            BpfAttr.btfLoad(NativeMemory.of(encode(entries.size()))),
            "types of functions");
    return Optional.of(new FunctionTypes(types, records, entries.size()));
  }

  /** Returns the slots at which functions start, ascending: 0, and those that programs refer to. */
  private static List<Integer> entries(byte[] instructions) {
    ByteBuffer code = ByteBuffer.wrap(instructions).order(ByteOrder.nativeOrder());
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    TreeSet<Integer> entries = new TreeSet<>(List.of(0));
    for (int slot = 0; slot < instructions.length / SLOT_BYTES; slot++) {
      int at = slot * SLOT_BYTES;
      if ((code.get(at) & 0xff) == LOAD_WIDE) {
        int registers = code.get(at + 1) & 0xff;
        if ((isLittle ? registers >> 4 : registers & 0xf) == FUNCTION) {
          entries.add(slot + 1 + code.getInt(at + Integer.BYTES));
        }
        slot++;
      }
    }
    return List.copyOf(entries);
  }

  private static byte[] encode(int functions) {
    StringBuilder names = new StringBuilder("\0int\0");
    int[] nameOffsets = new int[functions];
    for (int i = 0; i < functions; i++) {
      nameOffsets[i] = names.length();
      names.append(i == 0 ? "probe" : "loop" + i).append('\0');
    }
    byte[] strings = names.toString().getBytes(StandardCharsets.US_ASCII);
    int typeBytes = 16 + 12 + 12 * functions;
    ByteBuffer out =
        ByteBuffer.allocate(HEADER_BYTES + typeBytes + strings.length)
            .order(ByteOrder.nativeOrder());
    out.putShort((short) MAGIC).put((byte) 1).put((byte) 0).putInt(HEADER_BYTES);
    out.putInt(0).putInt(typeBytes).putInt(typeBytes).putInt(strings.length);
    out.putInt(1).putInt(INT).putInt(Integer.BYTES).putInt(SIGNED_32_BITS);
    out.putInt(0).putInt(FUNC_PROTO).putInt(INT_ID);
    for (int offset : nameOffsets) {
      out.putInt(offset).putInt(FUNC).putInt(PROTOTYPE_ID);
    }
    return out.put(strings).array();
  }

  /** Adds the types to the arguments of a program load. */
  BpfAttr addTo(BpfAttr load) {
    return load.functions(types.number(), records, RECORD_BYTES, count);
  }

  @Override
  public void close() {
    types.close();
  }
}
