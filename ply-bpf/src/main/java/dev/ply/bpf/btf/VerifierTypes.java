package dev.ply.bpf.btf;

import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;
import java.util.Optional;

/** The verifier's types of loads from kernel memory. */
public interface VerifierTypes {
  /** Returns the verifier's types for {@code types}: numbers if they are not from BTF. */
  static VerifierTypes of(KernelTypes types) {
    KernelTypes kernel = types.kernel();
    return kernel instanceof VerifierTypes typed ? typed : new NumbersOnly(kernel);
  }

  /** Returns a function by name and module; empty if its types are unknown. */
  Optional<TypedFunction> typedFunction(KernelSelector.Function function);

  /** Returns {@link KernelTypes#rawTracepointProbe} with the types of its words. */
  Optional<TypedFunction> typedProbe(String event);

  /** Returns the type of a load of {@code size} bytes at an offset of a structure. */
  TypedLoad load(KernelStruct struct, long offset, int size);
}
