package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;

/** Emits the counting of what a probe could not record, so that it can be reported. */
final class LossCounter {
  /** The counter of events that found the ring buffer full. */
  static final int LOST_EVENTS = 0;

  /** The counter of updates that found a map full. */
  static final int FAILED_UPDATES = 1;

  /** The counter of stack traces that found their slot taken. */
  static final int LOST_STACKS = 2;

  /** The counter of loops that were stopped before their end. */
  static final int STOPPED_LOOPS = 3;

  /** How many counters there are. */
  static final int COUNTERS = 4;

  private final CodeBuilder code;
  private final ObjectBuilder object;

  LossCounter(CodeBuilder code, ObjectBuilder object) {
    this.code = code;
    this.object = object;
  }

  /**
   * Adds one to a counter and jumps to {@code next}. In one step: a probe that fires within this
   * one, on an interrupt or another CPU, may count here too.
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
