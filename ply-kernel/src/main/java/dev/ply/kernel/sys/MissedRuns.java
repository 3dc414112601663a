package dev.ply.kernel.sys;

import dev.ply.name.Errno;

/**
 * Counts of hits for which programs were not run (struct bpf_prog_info and struct bpf_link_info of
 * include/uapi/linux/bpf.h).
 */
public final class MissedRuns {
  private static final int SIZE = 232;
  private static final int PROGRAM_RECURSION_MISSES = 208;

  private static final int LINK_TYPE = 0;
  private static final int TYPE_PERF_EVENT = 7;
  private static final int TYPE_KPROBE_MULTI = 8;
  private static final int KPROBE_MULTI_MISSED = 32;

  private static final int PERF_TYPE = 16;
  private static final int PERF_KPROBE = 3;
  private static final int PERF_KRETPROBE = 4;
  private static final int PERF_KPROBE_MISSED = 48;

  private MissedRuns() {}

  /**
   * Returns the number of times that a program was skipped because it, or for kprobes and
   * tracepoints any program, was already running on that CPU. Counted since Linux 5.12 for
   * trampolines, 6.1 for raw tracepoints, 6.7 otherwise; 0 before.
   */
  public static long ofProgram(int program) {
    return read(program).bytes().getLong(PROGRAM_RECURSION_MISSES);
  }

  /**
   * Returns the number of times that a kprobe or kretprobe did not run its program: it interrupted
   * another, or its maxactive was exceeded. Counted since Linux 6.7; 0 before, and once the link is
   * closed.
   */
  public static long ofLink(FileDescriptor link) {
    if (link.isClosed()) {
      return 0;
    }
    NativeMemory info = read(link.number());
    return switch (info.bytes().getInt(LINK_TYPE)) {
      case TYPE_KPROBE_MULTI -> info.bytes().getLong(KPROBE_MULTI_MISSED);
      case TYPE_PERF_EVENT -> ofPerfEvent(info);
      default -> 0;
    };
  }

  private static long ofPerfEvent(NativeMemory info) {
    int type = info.bytes().getInt(PERF_TYPE);
    return type == PERF_KPROBE || type == PERF_KRETPROBE
        ? info.bytes().getLong(PERF_KPROBE_MISSED)
        : 0;
  }

  /** Fields that the kernel does not fill are zero. */
  private static NativeMemory read(int descriptor) {
    NativeMemory info = NativeMemory.allocate(SIZE);
    Errno unused = SystemCalls.tryBpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(descriptor, info));
    return info;
  }
}
