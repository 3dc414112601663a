package dev.ply.kernel.sys;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;

/**
 * The argument of bpf(2), union bpf_attr of include/uapi/linux/bpf.h, with a factory for each
 * command. Keeps the memory it points to alive.
 */
public final class BpfAttr {
  /** Longer than all commands here: the kernel accepts trailing zeros. */
  static final int SIZE = 128;

  /** BPF_F_RDONLY_PROG. */
  private static final int READ_ONLY_FOR_PROGRAMS = 1 << 7;

  /** BPF_F_NO_PREALLOC. */
  private static final int NO_PREALLOCATION = 1;

  private static final int NAME_LENGTH = 15;
  private static final int BATCH_COUNT = 32;
  private static final int TEST_RUN_RETVAL = 4;
  private static final int TEST_RUN_DURATION = 36;

  private static final int TYPE_SOCKET_FILTER = 1;

  /** {@code r0 = 0; exit}, in either byte order. */
  private static final byte[] SOCKET_FILTER = {
    (byte) 0xb7, 0, 0, 0, 0, 0, 0, 0, (byte) 0x95, 0, 0, 0, 0, 0, 0, 0
  };

  /** The smallest packet: an Ethernet header. */
  private static final int PACKET = 14;

  private static final int EXPECTED_ATTACH_TYPE = 68;
  private static final int ATTACH_BTF_ID = 108;
  private static final int ATTACH_BTF_OBJ = 112;
  private static final int NEXT_ID = 4;
  private static final int ATTACH_PERF_EVENT = 41;
  private static final int ATTACH_KPROBE_MULTI = 42;
  private static final int ATTACH_UPROBE_MULTI = 48;
  private static final int ATTACH_KPROBE_SESSION = 56;
  private static final int KPROBE_MULTI_RETURN = 1;
  private static final int KPROBE_MULTI_NAMES = 24;

  /** An address that is never mapped. */
  private static final long NOWHERE = 8;

  /** The offset of the fields specific to a link's type. */
  private static final int LINK_OPTIONS = 16;

  private final NativeMemory memory = NativeMemory.allocate(SIZE);
  private final List<NativeMemory> referenced = new ArrayList<>(4);

  private BpfAttr() {}

  /** Creates an array of maps, which are like the map of the descriptor. */
  public static BpfAttr mapCreate(BpfMap map, int inner) {
    return mapCreate(map).put(20, inner);
  }

  /** Creates a map. */
  public static BpfAttr mapCreate(BpfMap map) {
    return new BpfAttr()
        .put(0, map.type().number())
        .put(4, map.keySize())
        .put(8, map.valueSize())
        .put(12, map.maxEntries())
        .put(16, flags(map))
        .name(28, map.name());
  }

  private static int flags(BpfMap map) {
    int access = map.content().isPresent() ? READ_ONLY_FOR_PROGRAMS : 0;
    return map.growth() == BpfMap.Growth.ON_DEMAND ? access | NO_PREALLOCATION : access;
  }

  /** An entry; {@code value} is read or written by the command. */
  public static BpfAttr element(int map, NativeMemory key, NativeMemory value) {
    return key(map, key).pointer(16, value);
  }

  /** A key. */
  public static BpfAttr key(int map, NativeMemory key) {
    return new BpfAttr().put(0, map).pointer(8, key);
  }

  /** A map. */
  public static BpfAttr map(int map) {
    return new BpfAttr().put(0, map);
  }

  /** A path of a BPF filesystem, to open what is pinned there. */
  public static BpfAttr path(String path) {
    return new BpfAttr().pointer(0, NativeMemory.ofString(path));
  }

  /** A path of a BPF filesystem, to pin a map, program or link there. */
  public static BpfAttr pin(String path, int descriptor) {
    return path(path).put(8, descriptor);
  }

  /** Requests the first key. */
  public static BpfAttr firstKey(int map, NativeMemory next) {
    return new BpfAttr().put(0, map).pointer(16, next);
  }

  /** Requests the key after {@code key}. */
  public static BpfAttr nextKey(int map, NativeMemory key, NativeMemory next) {
    return firstKey(map, next).pointer(8, key);
  }

  /** Requests the first batch; the position is written to {@code cursor}. */
  public static BpfAttr firstBatch(
      int map, NativeMemory cursor, NativeMemory keys, NativeMemory values) {
    return new BpfAttr().put(36, map).pointer(8, cursor).pointer(16, keys).pointer(24, values);
  }

  /** Requests the batch at {@code cursor}, which is advanced. */
  public static BpfAttr nextBatch(
      int map, NativeMemory cursor, NativeMemory keys, NativeMemory values) {
    return firstBatch(map, cursor, keys, values).pointer(0, cursor);
  }

  /** Loads a program, without a log. */
  public static BpfAttr programLoad(
      String name, ProgramType type, NativeMemory instructions, int count, String license) {
    return new BpfAttr()
        .put(0, type.number())
        .put(4, count)
        .pointer(8, instructions)
        .pointer(16, NativeMemory.ofString(license))
        .name(48, name);
  }

  /** Loads a filter of sockets that returns 0, which the kernel runs attached to nothing. */
  public static BpfAttr socketFilter() {
    return new BpfAttr()
        .put(0, TYPE_SOCKET_FILTER)
        .put(4, SOCKET_FILTER.length / Long.BYTES)
        .pointer(8, NativeMemory.of(SOCKET_FILTER))
        .pointer(16, NativeMemory.ofString("GPL"))
        .name(48, "nothing");
  }

  /**
   * Sets the expected attach type (enum bpf_attach_type) and the BTF id of the target.
   *
   * @param types the descriptor of a module's BTF, 0 for vmlinux; requires Linux 5.11
   */
  public BpfAttr attachTo(int type, int function, int types) {
    return put(EXPECTED_ATTACH_TYPE, type).put(ATTACH_BTF_ID, function).put(ATTACH_BTF_OBJ, types);
  }

  /** Loads type information (BTF), without a log. Requires Linux 4.18. */
  public static BpfAttr btfLoad(NativeMemory types) {
    return new BpfAttr().pointer(0, types).put(16, types.size());
  }

  /**
   * Sets the types of a program's functions. Requires Linux 5.0.
   *
   * @param types the descriptor of the BTF
   * @param records a struct bpf_func_info for each function
   */
  public BpfAttr functions(int types, NativeMemory records, int recordSize, int count) {
    return put(72, types).put(76, recordSize).pointer(80, records).put(88, count);
  }

  /** Requests the id after {@code id}, or selects an object by id. */
  public static BpfAttr id(int id) {
    return new BpfAttr().put(0, id);
  }

  /** Returns the requested id. */
  public int nextId() {
    return memory.bytes().getInt(NEXT_ID);
  }

  /** A program bound to its attach target at load time. */
  public static BpfAttr bound(int program) {
    return new BpfAttr().put(8, program);
  }

  /** Requests the verifier's log in {@code log}, NUL-terminated. */
  public BpfAttr logInto(NativeMemory log) {
    return put(24, 1).put(28, log.size()).pointer(32, log);
  }

  /** Runs a program once. */
  public static BpfAttr testRun(int program, long... arguments) {
    NativeMemory context = NativeMemory.allocate(arguments.length * Long.BYTES);
    for (int i = 0; i < arguments.length; i++) {
      context.bytes().putLong(i * Long.BYTES, arguments[i]);
    }
    BpfAttr attr = new BpfAttr().put(0, program).put(40, arguments.length * Long.BYTES);
    return arguments.length == 0 ? attr : attr.pointer(48, context);
  }

  /** Runs of a socket filter on an empty packet. */
  public static BpfAttr testRuns(int program, int times) {
    return new BpfAttr()
        .put(0, program)
        .put(8, PACKET)
        .pointer(16, NativeMemory.allocate(PACKET))
        .put(32, times);
  }

  /** A raw tracepoint, its program and cookie; a cookie requires Linux 6.10. */
  public static BpfAttr rawTracepoint(String name, int program, long cookie) {
    return new BpfAttr()
        .pointer(0, NativeMemory.ofString(name))
        .put(8, program)
        .put(LINK_OPTIONS, cookie);
  }

  /** A perf event, its program and cookie. */
  public static BpfAttr perfLink(int program, int event, long cookie) {
    return new BpfAttr()
        .put(0, program)
        .put(4, event)
        .put(8, ATTACH_PERF_EVENT)
        .put(LINK_OPTIONS, cookie);
  }

  /** An iterator's program, bound at load time. */
  public static BpfAttr iteratorLink(int program, int attachType) {
    return new BpfAttr().put(0, program).put(8, attachType);
  }

  /** An iteration of a link. */
  public static BpfAttr iterator(int link) {
    return new BpfAttr().put(0, link);
  }

  /** A kprobe.multi link with unreadable names, for probing the feature. */
  public static BpfAttr unreadableKprobeMulti(int program) {
    return kprobeMulti(program, 1, false).put(KPROBE_MULTI_NAMES, NOWHERE);
  }

  /** A kprobe.session link with unreadable names, for probing the feature. */
  public static BpfAttr unreadableKprobeSession(int program) {
    return unreadableKprobeMulti(program).put(8, ATTACH_KPROBE_SESSION);
  }

  /** A uprobe.multi link with an unreadable path, for probing the feature. */
  public static BpfAttr unreadableUprobeMulti(int program) {
    return new BpfAttr()
        .put(0, program)
        .put(8, ATTACH_UPROBE_MULTI)
        .put(LINK_OPTIONS, NOWHERE)
        .put(24, NOWHERE)
        .put(48, 1);
  }

  /**
   * Functions, their program and cookies.
   *
   * @param cookies one for each function; empty for none
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

  /** Requests the run times of all programs (BPF_STATS_RUN_TIME, 0). */
  public static BpfAttr runTimes() {
    return new BpfAttr();
  }

  /** Requests information about an object. */
  public static BpfAttr info(int descriptor, NativeMemory info) {
    return new BpfAttr().put(0, descriptor).put(4, info.size()).pointer(8, info);
  }

  /** Requests information about an object, with a buffer for its name. */
  public static BpfAttr info(int descriptor, NativeMemory info, NativeMemory name) {
    BpfAttr attr = info(descriptor, info);
    attr.referenced.add(name);
    return attr;
  }

  /** Sets the size of a batch in entries. */
  public BpfAttr batchCount(int entries) {
    return put(BATCH_COUNT, entries);
  }

  /** Returns the number of entries in the batch. */
  public int batchCount() {
    return memory.bytes().getInt(BATCH_COUNT);
  }

  /** Returns the result of the test run. */
  public int testRunResult() {
    return memory.bytes().getInt(TEST_RUN_RETVAL);
  }

  /** Returns the average duration of the test runs in nanoseconds. */
  public int testRunDuration() {
    return memory.bytes().getInt(TEST_RUN_DURATION);
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

  /** Writes a name as the kernel accepts it: 15 letters, digits, underscores or dots. */
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
