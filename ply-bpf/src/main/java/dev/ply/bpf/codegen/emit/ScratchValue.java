package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.object.BpfObject;

/**
 * A value of the per-CPU scratch map that a program uses.
 *
 * @param base the register with its address
 * @param entry its key, which nobody else uses meanwhile
 */
public record ScratchValue(Register base, int entry) {
  /** The bytes at the end of the stack that finding it overwrites. */
  public static final int STACK_BYTES = 8;

  /** Emits the lookup, which never fails, though verifiers cannot know. */
  public void find(CodeBuilder code, Label missing) {
    Place key = new Place(Register.R10, -Integer.BYTES);
    code.store(Size.W, key, new Immediate(entry));
    code.call(Helper.MAP_LOOKUP_ELEM, code.map(BpfObject.SCRATCH), code.address(key));
    code.move(base, Register.R0);
    code.jumpIfNull(base, missing);
  }
}
