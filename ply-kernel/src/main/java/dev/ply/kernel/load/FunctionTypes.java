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
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The BTF of a program's functions, which the kernel requires of those that helpers call (Linux
 * 5.13), and of global functions (5.6): all return an int, and none has parameters. The kernel
 * learns those of callbacks from the helper.
 */
final class FunctionTypes implements AutoCloseable {
  /** The size of struct bpf_func_info of include/uapi/linux/bpf.h. */
  private static final int RECORD_BYTES = 8;

  private static final int SLOT_BYTES = 8;

  /** The opcode of a 64-bit immediate load, and its source register for functions. */
  private static final int LOAD_WIDE = 0x18;

  private static final int FUNCTION = 4;

  /** The opcode of a call, and its source register for functions. */
  private static final int CALL = 0x85;

  private static final int LOCAL = 1;

  // Kinds of include/uapi/linux/btf.h, in the upper half of a type's info.
  private static final int INT = 1 << 24;
  private static final int FUNC = 12 << 24;
  private static final int FUNC_PROTO = 13 << 24;

  /** BTF_FUNC_GLOBAL; static functions have 0. */
  private static final int GLOBAL = 1;

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
   * Loads the types of a program's functions; empty if helpers call none, and none is global.
   *
   * @param instructions in the kernel's encoding and the machine's byte order
   * @param globals the slots at which global functions start
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   */
  static Optional<FunctionTypes> load(byte[] instructions, Set<Integer> globals) {
    if (globals.isEmpty() && targets(instructions, LOAD_WIDE, FUNCTION).isEmpty()) {
      return Optional.empty();
    }
    TreeSet<Integer> entries = new TreeSet<>(List.of(0));
    entries.addAll(targets(instructions, LOAD_WIDE, FUNCTION));
    entries.addAll(targets(instructions, CALL, LOCAL));
    NativeMemory records = NativeMemory.allocate(entries.size() * RECORD_BYTES);
    int record = 0;
    for (int entry : entries) {
      records
          .bytes()
          .putInt(record * RECORD_BYTES, entry)
          .putInt(record * RECORD_BYTES + Integer.BYTES, FIRST_FUNCTION_ID + record);
      record++;
    }
    FileDescriptor types =
        SystemCalls.openBpf(
            BpfCommand.BTF_LOAD,
            BpfAttr.btfLoad(NativeMemory.of(encode(entries, globals))),
            "types of functions");
    return Optional.of(new FunctionTypes(types, records, entries.size()));
  }

  /** Returns the slots that instructions with this opcode and source register refer to. */
  private static Set<Integer> targets(byte[] instructions, int opcode, int source) {
    ByteBuffer code = ByteBuffer.wrap(instructions).order(ByteOrder.nativeOrder());
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    Set<Integer> targets = new TreeSet<>();
    for (int slot = 0; slot < instructions.length / SLOT_BYTES; slot++) {
      int at = slot * SLOT_BYTES;
      int found = code.get(at) & 0xff;
      int registers = code.get(at + 1) & 0xff;
      if (found == opcode && (isLittle ? registers >> 4 : registers & 0xf) == source) {
        targets.add(slot + 1 + code.getInt(at + Integer.BYTES));
      }
      // A wide load has two slots.
      slot += found == LOAD_WIDE ? 1 : 0;
    }
    return targets;
  }

  private static byte[] encode(SortedSet<Integer> entries, Set<Integer> globals) {
    int functions = entries.size();
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
    int function = 0;
    for (int entry : entries) {
      int linkage = globals.contains(entry) ? GLOBAL : 0;
      out.putInt(nameOffsets[function++]).putInt(FUNC | linkage).putInt(PROTOTYPE_ID);
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
