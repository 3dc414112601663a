package dev.ply.kernel.sys;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;

/**
 * The argument of bpf(2), union bpf_attr of include/uapi/linux/bpf.h, one factory for each command.
 * It keeps the memory it points to alive.
 */
public final class BpfAttr {
  /** Longer than any command here needs: the kernel accepts zeros behind what it knows. */
  static final int SIZE = 128;

  /** BPF_F_RDONLY_PROG. */
  private static final int READ_ONLY_FOR_PROGRAMS = 1 << 7;

  private static final int NAME_LENGTH = 15;
  private static final int BATCH_COUNT = 32;
  private static final int TEST_RUN_RETVAL = 4;
  private static final int EXPECTED_ATTACH_TYPE = 68;
  private static final int ATTACH_BTF_ID = 108;
  private static final int ATTACH_BTF_OBJ = 112;
  private static final int NEXT_ID = 4;
  private static final int ATTACH_PERF_EVENT = 41;
  private static final int ATTACH_KPROBE_MULTI = 42;
  private static final int KPROBE_MULTI_RETURN = 1;
  private static final int KPROBE_MULTI_NAMES = 24;

  /** An address where no process has memory. */
  private static final long NOWHERE = 8;

  /** Where what depends on the kind of a link begins. */
  private static final int LINK_OPTIONS = 16;

  private final NativeMemory memory = NativeMemory.allocate(SIZE);
  private final List<NativeMemory> referenced = new ArrayList<>(4);

  private BpfAttr() {}

  /** Describes a map to be created. */
  public static BpfAttr mapCreate(BpfMap map) {
    return new BpfAttr()
        .put(0, map.type().number())
        .put(4, map.keySize())
        .put(8, map.valueSize())
        .put(12, map.maxEntries())
        .put(16, map.content().isPresent() ? READ_ONLY_FOR_PROGRAMS : 0)
        .name(28, map.name());
  }

  /** Names one entry; {@code value} is read or written by the command. */
  public static BpfAttr element(int map, NativeMemory key, NativeMemory value) {
    return key(map, key).pointer(16, value);
  }

  /** Names a key. */
  public static BpfAttr key(int map, NativeMemory key) {
    return new BpfAttr().put(0, map).pointer(8, key);
  }

  /** Names a map. */
  public static BpfAttr map(int map) {
    return new BpfAttr().put(0, map);
  }

  /** Asks for the first key. */
  public static BpfAttr firstKey(int map, NativeMemory next) {
    return new BpfAttr().put(0, map).pointer(16, next);
  }

  /** Asks for the key after {@code key}. */
  public static BpfAttr nextKey(int map, NativeMemory key, NativeMemory next) {
    return firstKey(map, next).pointer(8, key);
  }

  /** Asks for the first entries; where to go on is written to {@code cursor}. */
  public static BpfAttr firstBatch(
      int map, NativeMemory cursor, NativeMemory keys, NativeMemory values) {
    return new BpfAttr().put(36, map).pointer(8, cursor).pointer(16, keys).pointer(24, values);
  }

  /** Asks for the entries from {@code cursor} on, which moves. */
  public static BpfAttr nextBatch(
      int map, NativeMemory cursor, NativeMemory keys, NativeMemory values) {
    return firstBatch(map, cursor, keys, values).pointer(0, cursor);
  }

  /** Describes a program to be loaded, without a log. */
  public static BpfAttr programLoad(
      String name, ProgramType type, NativeMemory instructions, int count, String license) {
    return new BpfAttr()
        .put(0, type.number())
        .put(4, count)
        .pointer(8, instructions)
        .pointer(16, NativeMemory.ofString(license))
        .name(48, name);
  }

  /**
   * Says how the program will be attached (enum bpf_attach_type), and to which function of the
   * kernel's type information.
   *
   * @param types the descriptor of a module's own type information, 0 for the kernel's; needs
   *     kernel 5.11
   */
  public BpfAttr attachTo(int type, int function, int types) {
    return put(EXPECTED_ATTACH_TYPE, type).put(ATTACH_BTF_ID, function).put(ATTACH_BTF_OBJ, types);
  }

  /** Asks for the number after {@code id}, or names an object by its number. */
  public static BpfAttr id(int id) {
    return new BpfAttr().put(0, id);
  }

  /** Returns the number that was asked for. */
  public int nextId() {
    return memory.bytes().getInt(NEXT_ID);
  }

  /** Names a program that was bound to its place when it was loaded. */
  public static BpfAttr bound(int program) {
    return new BpfAttr().put(8, program);
  }

  /** Asks the verifier to explain itself in {@code log}, NUL-terminated. */
  public BpfAttr logInto(NativeMemory log) {
    return put(24, 1).put(28, log.size()).pointer(32, log);
  }

  /** Describes one run of a program. */
  public static BpfAttr testRun(int program, long... arguments) {
    NativeMemory context = NativeMemory.allocate(arguments.length * Long.BYTES);
    for (int i = 0; i < arguments.length; i++) {
      context.bytes().putLong(i * Long.BYTES, arguments[i]);
    }
    BpfAttr attr = new BpfAttr().put(0, program).put(40, arguments.length * Long.BYTES);
    return arguments.length == 0 ? attr : attr.pointer(48, context);
  }

  /**
   * Names a raw tracepoint, the program for it, and the number that it shall see, which only
   * kernels from 6.10 on take if it is not zero.
   */
  public static BpfAttr rawTracepoint(String name, int program, long cookie) {
    return new BpfAttr()
        .pointer(0, NativeMemory.ofString(name))
        .put(8, program)
        .put(LINK_OPTIONS, cookie);
  }

  /** Names a performance event, the program for it, and the number that it shall see. */
  public static BpfAttr perfLink(int program, int event, long cookie) {
    return new BpfAttr()
        .put(0, program)
        .put(4, event)
        .put(8, ATTACH_PERF_EVENT)
        .put(LINK_OPTIONS, cookie);
  }

  /** Names a program for functions whose names cannot be read. */
  public static BpfAttr unreadableKprobeMulti(int program) {
    return kprobeMulti(program, 1, false).put(KPROBE_MULTI_NAMES, NOWHERE);
  }

  /**
   * Names functions and the program for them.
   *
   * @param cookies the number that the program shall see at each; empty for none
   */
  public static BpfAttr kprobeMulti(
      int program, List<String> functions, List<Long> cookies, boolean atReturn) {
    NativeMemory names = NativeMemory.allocate(functions.size() * Long.BYTES);
    BpfAttr attr =
        kprobeMulti(program, functions.size(), atReturn).pointer(KPROBE_MULTI_NAMES, names);
    NativeMemory text = NativeMemory.ofString(String.join("\0", functions));
    attr.referenced.add(text);
    long address = text.address();
    int at = 0;
    for (String function : functions) {
      names.bytes().putLong(at, address);
      at += Long.BYTES;
      address += function.length() + 1;
    }
    if (!cookies.isEmpty()) {
      NativeMemory numbers = NativeMemory.allocate(cookies.size() * Long.BYTES);
      for (int i = 0; i < cookies.size(); i++) {
        numbers.bytes().putLong(i * Long.BYTES, cookies.get(i));
      }
      attr.pointer(40, numbers);
    }
    return attr;
  }

  private static BpfAttr kprobeMulti(int program, int functions, boolean atReturn) {
    return new BpfAttr()
        .put(0, program)
        .put(8, ATTACH_KPROBE_MULTI)
        .put(LINK_OPTIONS, atReturn ? KPROBE_MULTI_RETURN : 0)
        .put(20, functions);
  }

  /** Asks for what there is to know of an object. */
  public static BpfAttr info(int descriptor, NativeMemory info) {
    return new BpfAttr().put(0, descriptor).put(4, info.size()).pointer(8, info);
  }

  /** Asks for what there is to know of an object, which has a name to be written elsewhere. */
  public static BpfAttr info(int descriptor, NativeMemory info, NativeMemory name) {
    BpfAttr attr = info(descriptor, info);
    attr.referenced.add(name);
    return attr;
  }

  /** Sets how many entries fit a batch. */
  public BpfAttr batchCount(int entries) {
    return put(BATCH_COUNT, entries);
  }

  /** Returns how many entries the batch had. */
  public int batchCount() {
    return memory.bytes().getInt(BATCH_COUNT);
  }

  /** Returns what the program run returned. */
  public int testRunResult() {
    return memory.bytes().getInt(TEST_RUN_RETVAL);
  }

  long address() {
    return memory.address();
  }

  private BpfAttr put(int offset, int value) {
    memory.bytes().putInt(offset, value);
    return this;
  }

  private BpfAttr put(int offset, long value) {
    memory.bytes().putLong(offset, value);
    return this;
  }

  private BpfAttr pointer(int offset, NativeMemory target) {
    memory.bytes().putLong(offset, target.address());
    referenced.add(target);
    return this;
  }

  /** Writes what the kernel accepts of a name: 15 letters, digits, underscores or dots. */
  private BpfAttr name(int offset, String name) {
    int length = Math.min(name.length(), NAME_LENGTH);
    for (int i = 0; i < length; i++) {
      char c = name.charAt(i);
      boolean accepted =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '_'
              || c == '.';
      memory.bytes().put(offset + i, (byte) (accepted ? c : '_'));
    }
    return this;
  }
}
