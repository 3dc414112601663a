package dev.ply.kernel.sys;

import dev.ply.probe.PerfCounter;
import dev.ply.selector.WatchSelector;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The argument of perf_event_open(2), struct perf_event_attr of include/uapi/linux/perf_event.h.
 * Events are created disabled. Keeps the memory it points to alive.
 */
public final class PerfEventAttr {
  private static final int SIZE = 112;
  private static final int TYPE_HARDWARE = 0;
  private static final int TYPE_SOFTWARE = 1;
  private static final int TYPE_TRACEPOINT = 2;
  private static final int TYPE_BREAKPOINT = 5;
  private static final long SOFTWARE_CPU_CLOCK = 0;
  private static final long SOFTWARE_DUMMY = 9;
  private static final long SOFTWARE_BPF_OUTPUT = 10;
  private static final long SAMPLE_RAW = 1 << 10;
  private static final long SAMPLE_TIME = 1 << 2;
  private static final long FLAG_DISABLED = 1;
  private static final long FLAG_EXCLUDE_KERNEL = 1 << 5;
  private static final long FLAG_EXCLUDE_HYPERVISOR = 1 << 6;
  private static final long FLAG_MMAP = 1 << 8;
  private static final long FLAG_COMM = 1 << 9;
  private static final long FLAG_FREQ = 1 << 10;
  private static final long FLAG_TASK = 1 << 13;
  private static final long FLAG_SAMPLE_ID_ALL = 1 << 18;
  private static final long FLAG_MMAP2 = 1 << 23;
  private static final long FLAG_COMM_EXEC = 1 << 24;
  private static final long FLAG_USE_CLOCK = 1 << 25;
  private static final long FLAG_BUILD_ID = 1L << 34;

  private final NativeMemory memory = NativeMemory.allocate(SIZE);
  private final List<NativeMemory> referenced = new ArrayList<>(1);

  private PerfEventAttr(int type, long config, long period) {
    memory.bytes().putInt(0, type).putInt(4, SIZE).putLong(8, config).putLong(16, period);
    setFlags(FLAG_DISABLED);
  }

  /** Bit-fields, which compilers for big-endian machines start at the highest bit. */
  private void setFlags(long flags) {
    boolean isBigEndian = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
    memory.bytes().putLong(40, isBigEndian ? Long.reverse(flags) : flags);
  }

  /** A tracepoint, by id. */
  public static PerfEventAttr tracepoint(int id) {
    return new PerfEventAttr(TYPE_TRACEPOINT, id, 1);
  }

  /** A timer with a period of {@code nanoseconds}. */
  public static PerfEventAttr timer(long nanoseconds) {
    return new PerfEventAttr(TYPE_SOFTWARE, SOFTWARE_CPU_CLOCK, nanoseconds);
  }

  /** A counter that overflows every {@code period} events. */
  public static PerfEventAttr counter(PerfCounter counter, long period) {
    int type = counter.source() == PerfCounter.Source.HARDWARE ? TYPE_HARDWARE : TYPE_SOFTWARE;
    return new PerfEventAttr(type, counter.number(), period);
  }

  /**
   * A hardware breakpoint that overflows at each access.
   *
   * @param length bytes; the whole word where instructions are watched, as the kernel requires
   */
  public static PerfEventAttr watchpoint(long address, int length, WatchSelector.Access access) {
    PerfEventAttr attr = new PerfEventAttr(TYPE_BREAKPOINT, 0, 1);
    attr.memory
        .bytes()
        .putInt(52, access.number())
        .putLong(56, address)
        .putLong(64, access == WatchSelector.Access.EXECUTE ? Long.BYTES : length);
    return attr;
  }

  /** A timer with a frequency of {@code hertz}. */
  public static PerfEventAttr sampler(long hertz) {
    PerfEventAttr attr = new PerfEventAttr(TYPE_SOFTWARE, SOFTWARE_CPU_CLOCK, hertz);
    attr.setFlags(FLAG_DISABLED | FLAG_FREQ);
    return attr;
  }

  /**
   * Describes an event that counts nothing and whose buffer has a record, with the time of {@code
   * CLOCK_MONOTONIC}, of each executable mapping, fork, exec and exit. Needs kernel 4.1.
   *
   * @param buildIds whether mappings have build IDs instead of inodes; needs kernel 5.12
   */
  public static PerfEventAttr mappings(boolean buildIds) {
    PerfEventAttr attr = new PerfEventAttr(TYPE_SOFTWARE, SOFTWARE_DUMMY, 1);
    attr.setFlags(
        FLAG_DISABLED
            | FLAG_EXCLUDE_KERNEL
            | FLAG_EXCLUDE_HYPERVISOR
            | FLAG_MMAP
            | FLAG_MMAP2
            | FLAG_COMM
            | FLAG_COMM_EXEC
            | FLAG_TASK
            | FLAG_SAMPLE_ID_ALL
            | FLAG_USE_CLOCK
            | (buildIds ? FLAG_BUILD_ID : 0));
    attr.memory.bytes().putLong(24, SAMPLE_TIME).putInt(92, Clock.MONOTONIC.number());
    return attr;
  }

  /** An event to whose buffer programs write. Requires Linux 4.4. */
  public static PerfEventAttr output() {
    PerfEventAttr attr = new PerfEventAttr(TYPE_SOFTWARE, SOFTWARE_BPF_OUTPUT, 1);
    attr.memory.bytes().putLong(24, SAMPLE_RAW);
    return attr;
  }

  /**
   * A kprobe. Requires Linux 4.17.
   *
   * @param type the type of the kprobe PMU
   * @param config the PMU's flags
   * @param offset bytes from the function's start
   */
  public static PerfEventAttr kprobe(int type, long config, String function, long offset) {
    NativeMemory name = NativeMemory.ofString(function);
    PerfEventAttr attr = new PerfEventAttr(type, config, 1);
    attr.referenced.add(name);
    attr.memory.bytes().putLong(56, name.address()).putLong(64, offset);
    return attr;
  }

  /** A kprobe at an address; otherwise like {@link #kprobe(int, long, String, long)}. */
  public static PerfEventAttr kprobe(int type, long config, long address) {
    PerfEventAttr attr = new PerfEventAttr(type, config, 1);
    attr.memory.bytes().putLong(64, address);
    return attr;
  }

  /**
   * A uprobe. Requires Linux 4.17.
   *
   * @param type the type of the uprobe PMU
   * @param config the PMU's flags
   * @param offset bytes from the file's start
   */
  public static PerfEventAttr uprobe(int type, long config, String file, long offset) {
    return kprobe(type, config, file, offset);
  }

  long address() {
    return memory.address();
  }
}
