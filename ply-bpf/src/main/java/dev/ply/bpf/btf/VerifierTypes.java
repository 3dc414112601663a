package dev.ply.bpf.btf;

import dev.ply.ir.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;
import java.util.Optional;

/** A kernel's types as its verifier follows them through loads. */
public interface VerifierTypes {
  /** Returns what the verifier makes of these types: loads yield numbers where they are not BTF. */
  static VerifierTypes of(KernelTypes types) {
    return types instanceof VerifierTypes typed ? typed : new NumbersOnly(types);
  }

  /** Returns the function of that name and module; empty if its types are unknown. */
  Optional<TypedFunction> typedFunction(KernelSelector.Function function);

  /** Returns {@link KernelTypes#rawTracepointProbe} with the types of its words. */
  Optional<TypedFunction> typedProbe(String event);

  /**
   * Returns what the verifier takes {@code size} bytes for, loaded from {@code offset} bytes after
   * the start of a structure.
   */
  TypedLoad load(KernelStruct struct, long offset, int size);
}
