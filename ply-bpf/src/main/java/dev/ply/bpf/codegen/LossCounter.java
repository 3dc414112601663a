package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;

/** Emits the counting of what a probe could not record, so that it can be reported. */
final class LossCounter {
  /** The counter of events that found the ring buffer full. */
  static final int LOST_EVENTS = 0;

  /** The counter of updates that found a map full. */
  static final int FAILED_UPDATES = 1;

  /** The counter of stack traces that found their slot taken. */
  static final int LOST_STACKS = 2;

  /** How many counters there are. */
  static final int COUNTERS = 3;

  private final CodeBuilder code;
  private final ObjectBuilder object;

  LossCounter(CodeBuilder code, ObjectBuilder object) {
    this.code = code;
    this.object = object;
  }

  /** Adds one to a counter, by way of {@code temporary} memory, and jumps to {@code next}. */
  void count(int counter, Place temporary, Label next) {
    code.store(Size.W, temporary, new Immediate(counter));
    Register slot =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(object.losses()), code.address(temporary));
    code.jumpIfNull(slot, next);
    Place place = new Place(slot, 0);
    Register total = code.fresh();
    code.load(Size.DW, total, place);
    code.alu(Width.W64, AluOp.ADD, total, 1);
    code.store(Size.DW, place, total);
    code.jump(next);
  }
}
