package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;

/** Emits the counting of losses, for reports. */
final class LossCounter {
  /** The counter of events lost because the ring buffer was full. */
  static final int LOST_EVENTS = 0;

  /** The counter of updates lost because a map was full. */
  static final int FAILED_UPDATES = 1;

  /** The counter of stack traces lost because their slot was taken. */
  static final int LOST_STACKS = 2;

  /** The counter of stopped loops. */
  static final int STOPPED_LOOPS = 3;

  /** The counter of signals that could not be sent. */
  static final int UNSENT_SIGNALS = 4;

  /** The number of counters. */
  static final int COUNTERS = 5;

  private final CodeBuilder code;
  private final ObjectBuilder object;

  LossCounter(CodeBuilder code, ObjectBuilder object) {
    this.code = code;
    this.object = object;
  }

  /**
   * Atomically adds one to a counter and jumps to {@code next}: programs on other CPUs and
   * interrupts count here too.
   */
  void count(int counter, Label next) {
    Register address = code.fresh();
    Register one = code.fresh();
    code.mapValue(object.losses(), counter * Long.BYTES).load(address);
    code.constant(one, 1);
    code.emit(new Instruction.Atomic(Size.DW, AtomicOp.ADD, address, 0, one));
    code.jump(next);
  }
}
