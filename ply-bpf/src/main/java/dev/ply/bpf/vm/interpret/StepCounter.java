package dev.ply.bpf.vm.interpret;

import static dev.ply.bpf.vm.memory.VmFault.Kind.STEP_LIMIT;

import dev.ply.bpf.vm.memory.VmFault;

/** The number of instructions executed, and how many more the current run may execute. */
public final class StepCounter {
  private final long stepLimit;
  private long executed;

  /** The value of {@code executed} at which the current run exceeds its step limit. */
  private long limit;

  /** Counts down from a number of instructions, at least 0. */
  public StepCounter(long stepLimit) {
    this.stepLimit = stepLimit;
  }

  /** Allows a run to execute as many instructions as the step limit. */
  public void beginRun() {
    limit = executed + stepLimit;
  }

  /** Returns the number of instructions executed in all runs. */
  public long executed() {
    return executed;
  }

  /** Counts executed instructions. */
  void add(long count) {
    executed += count;
  }

  /** Returns how many instructions the current run may still execute. */
  public long remaining() {
    return limit - executed;
  }

  /** Sets how many instructions the current run may still execute. */
  public void setRemaining(long remaining) {
    executed = limit - remaining;
  }

  VmFault limitReached() {
    return new VmFault(
        STEP_LIMIT, "is reached after " + stepLimit + " instructions, the step limit");
  }
}
