package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;

/** Emits the number of hits that each chosen one stands for while a trace is sampled. */
public final class HitWeight {
  private HitWeight() {}

  /** Loads the number: 0 or 1 if every hit is chosen. */
  public static Register load(CodeBuilder code, ObjectBuilder object) {
    Register address = code.fresh();
    code.mapValue(object.sampling(), 0).load(address);
    Register weight = code.fresh();
    code.load(Size.DW, weight, new Place(address, 0));
    return weight;
  }
}
