package dev.ply.bpf.optimize;

import java.util.EnumSet;
import java.util.Set;

/** What the optimiser does to programs, in the order in which it does it; each can be left out. */
public enum Pass {
  /** Gives each key of an aggregation its own place if all are known: nothing is looked up. */
  PLACE_KNOWN_KEYS,
  /** Sends jumps past tests whose outcome is known on their way: {@link ThreadJumps}. */
  THREAD_JUMPS,
  /** Computes and fetches once what is needed more than once: {@link ShareValues}. */
  SHARE_VALUES,
  /** Puts constants and originals where copies are read: {@link PropagateValues}. */
  PROPAGATE_VALUES,
  /** Leaves out stores to the stack that nobody reads: {@link EliminateDeadStores}. */
  ELIMINATE_DEAD_STORES,
  /** Tests first what costs least in a condition of several parts. */
  ORDER_CONDITIONS;

  /** All passes. */
  public static final Set<Pass> ALL = Set.copyOf(EnumSet.allOf(Pass.class));
}
