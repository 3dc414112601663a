package dev.ply.kernel.sys;

import dev.ply.name.Errno;

/**
 * The kernel's measurement of how long programs run (BPF_ENABLE_STATS of bpf(2)), until closed.
 * Requires Linux 5.8.
 */
public final class RunTimes implements AutoCloseable {
  private static final int SIZE = 232;
  private static final int RUN_TIME_NS = 192;
  private static final int RUN_COUNT = 200;

  private final FileDescriptor descriptor;

  private RunTimes(FileDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Has the kernel measure all programs.
   *
   * @throws KernelException if it cannot
   */
  public static RunTimes measure() {
    return new RunTimes(
        SystemCalls.openBpf(BpfCommand.ENABLE_STATS, BpfAttr.runTimes(), "run times"));
  }

  /** Returns how long a program has run while programs were measured, in nanoseconds. */
  public long ofProgram(int program) {
    NativeMemory info = NativeMemory.allocate(SIZE);
    Errno unused = SystemCalls.tryBpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(program, info));
    return info.bytes().getLong(RUN_TIME_NS);
  }

  /** Returns how often a program has run while programs were measured. */
  public long runsOfProgram(int program) {
    NativeMemory info = NativeMemory.allocate(SIZE);
    Errno unused = SystemCalls.tryBpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(program, info));
    return info.bytes().getLong(RUN_COUNT);
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
