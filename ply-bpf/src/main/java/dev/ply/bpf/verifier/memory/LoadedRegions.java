package dev.ply.bpf.verifier.memory;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The region that each load accesses, which must be of one kind on all paths.
 *
 * <p>The kernel rewrites loads from the context and from its own structures (save_aux_ptr_type in
 * kernel/bpf/verifier.c).
 */
public final class LoadedRegions {
  private final Map<Integer, Region> first = new HashMap<>();

  /** Returns why a load conflicts with another path, or empty. */
  public Optional<String> check(int index, Instruction instruction, AbstractState state) {
    if (!(instruction instanceof Load load)
        || !(state.register(load.base()) instanceof Pointer pointer)) {
      return Optional.empty();
    }
    Region before = first.putIfAbsent(index, pointer.region());
    return before == null || areAlike(before, pointer.region())
        ? Optional.empty()
        : Optional.of(
            load.base()
                + " is "
                + pointer.region().describe()
                + " here and "
                + before.describe()
                + " on another path; use separate loads");
  }

  private static boolean areAlike(Region one, Region other) {
    if (one instanceof Region.KernelObject a && other instanceof Region.KernelObject b) {
      return a.trust() == b.trust();
    }
    return isRewritten(one) == isRewritten(other) && (!isRewritten(one) || one.equals(other));
  }

  private static boolean isRewritten(Region region) {
    return region instanceof Region.Context || region instanceof Region.KernelObject;
  }
}
