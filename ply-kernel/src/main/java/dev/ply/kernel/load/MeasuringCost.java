package dev.ply.kernel.load;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.RunTimes;
import dev.ply.kernel.sys.SystemCalls;

/**
 * What it costs to measure a run of a program, found with a program that does nothing.
 *
 * @param included the part that is in the measured time, in ns
 * @param added what each run takes longer, in ns; 0 if all programs are measured anyway
 */
record MeasuringCost(long included, long added) {
  private static final String NAME = "program that does nothing";
  private static final int RUNS = 20_000;

  /** What a run takes while it is not measured, in ns. */
  record Unmeasured(long nanos) {
    /** Compares with runs that are measured; nothing if the kernel does not let this process. */
    MeasuringCost with(RunTimes measured) {
      try (FileDescriptor program = program()) {
        long added = averageRun(program) - nanos;
        long runs = Math.max(1, measured.runsOfProgram(program.number()));
        return new MeasuringCost(measured.ofProgram(program.number()) / runs, Math.max(0, added));
      } catch (KernelException e) {
        return new MeasuringCost(0, 0);
      }
    }
  }

  /** Begins with runs that are not measured; as long as any if the kernel does not tell. */
  static Unmeasured unmeasured() {
    try (FileDescriptor program = program()) {
      return new Unmeasured(averageRun(program));
    } catch (KernelException e) {
      return new Unmeasured(Integer.MAX_VALUE);
    }
  }

  private static FileDescriptor program() {
    return SystemCalls.openBpf(BpfCommand.PROG_LOAD, BpfAttr.socketFilter(), NAME);
  }

  private static long averageRun(FileDescriptor program) {
    BpfAttr runs = BpfAttr.testRuns(program.number(), RUNS);
    SystemCalls.bpf(BpfCommand.PROG_TEST_RUN, runs, NAME);
    return runs.testRunDuration();
  }
}
