package dev.ply.bpf.vm;

import static dev.ply.bpf.vm.VmFault.Kind.STEP_LIMIT;

/** The number of instructions executed, and how many more the current run may execute. */
final class StepCounter {
  private final long stepLimit;
  private long executed;

  /** The value of {@code executed} at which the current run exceeds its step limit. */
  private long limit;

  StepCounter(long stepLimit) {
    this.stepLimit = stepLimit;
  }

  /** Allows a run to execute as many instructions as the step limit. */
  void beginRun() {
    limit = executed + stepLimit;
  }

  /** Returns the number of instructions executed in all runs. */
  long executed() {
    return executed;
  }

  /** Counts executed instructions. */
  void add(long count) {
    executed += count;
  }

  /** Returns how many instructions the current run may still execute. */
  long remaining() {
    return limit - executed;
  }

  /** Sets how many instructions the current run may still execute. */
  void setRemaining(long remaining) {
    executed = limit - remaining;
  }

  VmFault limitReached() {
    return new VmFault(
        STEP_LIMIT, "is reached after " + stepLimit + " instructions, the step limit");
  }
}
