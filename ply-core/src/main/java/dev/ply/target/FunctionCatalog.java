package dev.ply.target;

import dev.ply.selector.KernelSelector;
import java.util.List;

/** The probeable functions of a kernel. */
public interface FunctionCatalog {
  /** No functions, for targets without access to symbols. */
  FunctionCatalog NONE = pattern -> new Selection(List.of(), 0, 0);

  /**
   * {@return the functions that match a pattern}
   *
   * @param pattern of functions of vmlinux and modules
   * @throws UnreadableTargetException if the kernel's list cannot be read
   */
  Selection select(KernelSelector.Functions pattern);

  /**
   * {@return the functions that match a pattern and that the kernel resolves by name when one link
   * probes many} May read ftrace's list only, which is faster: then {@link Selection#untraceable}
   * is lower than for {@link #select}.
   *
   * @param pattern of functions of vmlinux and modules
   * @throws UnreadableTargetException if the kernel's list cannot be read
   */
  default Selection selectTraced(KernelSelector.Functions pattern) {
    return select(pattern);
  }

  /**
   * The functions that match a pattern.
   *
   * @param functions the probeable ones, in alphabetical order
   * @param untraceable how many others cannot be probed
   * @param ambiguous how many names are shared by several functions whose addresses are unknown
   * @param shared the addresses of functions that share their names with others
   */
  record Selection(
      List<KernelSelector.Function> functions,
      int untraceable,
      int ambiguous,
      List<KernelSelector.Address> shared) {
    /** Copies the functions. */
    public Selection {
      functions = List.copyOf(functions);
      shared = List.copyOf(shared);
    }

    /**
     * Functions without shared names of known addresses.
     *
     * @param functions the probeable ones, in alphabetical order
     * @param untraceable how many others cannot be probed
     * @param ambiguous how many names are shared by several functions
     */
    public Selection(List<KernelSelector.Function> functions, int untraceable, int ambiguous) {
      this(functions, untraceable, ambiguous, List.of());
    }
  }
}
