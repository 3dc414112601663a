package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.object.BpfObject;
import dev.ply.result.Loss;

/** Emits the counting of losses, for reports. */
public final class LossCounter {
  private final CodeBuilder code;
  private final ObjectBuilder object;

  /** Emits counters of losses to the end of {@code code}. */
  public LossCounter(CodeBuilder code, ObjectBuilder object) {
    this.code = code;
    this.object = object;
  }

  /**
   * Atomically adds one to a counter and jumps to {@code next}: programs on other CPUs and
   * interrupts count here too.
   */
  public void count(Loss loss, Label next) {
    Register address = code.fresh();
    Register one = code.fresh();
    code.mapValue(object.losses(), BpfObject.COUNTED_LOSSES.indexOf(loss) * Long.BYTES)
        .load(address);
    code.constant(one, 1);
    code.emit(new Instruction.Atomic(Size.DW, AtomicOp.ADD, address, 0, one));
    code.jump(next);
  }
}
