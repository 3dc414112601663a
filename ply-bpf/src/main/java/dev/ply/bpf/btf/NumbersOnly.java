package dev.ply.bpf.btf;

import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;
import java.util.Collections;
import java.util.Optional;

/** Types without BTF: every load is a number. */
record NumbersOnly(KernelTypes types) implements VerifierTypes {
  @Override
  public Optional<TypedFunction> typedFunction(KernelSelector.Function function) {
    return types.function(function).map(NumbersOnly::typed);
  }

  @Override
  public Optional<TypedFunction> typedProbe(String event) {
    return types.rawTracepointProbe(event).map(NumbersOnly::typed);
  }

  private static TypedFunction typed(KernelTypes.Function function) {
    int words = function.parameters().size() + 1;
    return new TypedFunction(
        function, Collections.nCopies(words, (TypedLoad) new TypedLoad.PlainNumber()));
  }

  @Override
  public TypedLoad load(KernelStruct struct, long offset, int size) {
    return new TypedLoad.PlainNumber();
  }
}
