package dev.ply.target;

import dev.ply.ir.KernelSelector;
import java.util.List;

/** The functions of a kernel that can be probed. */
public interface FunctionCatalog {
  /** No functions: what there is without access to a kernel's symbols. */
  FunctionCatalog NONE = pattern -> new Selection(List.of(), 0, 0);

  /**
   * Returns the functions that a pattern means.
   *
   * @throws UnreadableTargetException if the kernel does not let us see
   */
  Selection select(KernelSelector.Functions pattern);

  /**
   * Returns the functions that a pattern means as far as the kernel itself finds them by name when
   * many are probed at once. Where that is known sooner than what else has such a name, it may be
   * all that is looked at: {@link Selection#untraceable} then counts less than {@link #select}.
   *
   * @throws UnreadableTargetException if the kernel does not let us see
   */
  default Selection selectTraced(KernelSelector.Functions pattern) {
    return select(pattern);
  }

  /**
   * What a pattern means.
   *
   * @param functions those that can be probed, by their names, in alphabetical order
   * @param untraceable how many more cannot be probed
   * @param ambiguous how many names more several functions share
   */
  record Selection(List<KernelSelector.Function> functions, int untraceable, int ambiguous) {
    public Selection {
      functions = List.copyOf(functions);
    }
  }
}
