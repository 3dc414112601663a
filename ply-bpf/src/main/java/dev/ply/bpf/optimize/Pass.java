package dev.ply.bpf.optimize;

import java.util.EnumSet;
import java.util.Set;

/** An optimisation pass, in order of execution; each can be disabled. */
public enum Pass {
  /** Gives each key of an aggregation a fixed array index if all keys are constant: no lookups. */
  PLACE_KNOWN_KEYS,
  /** Copies loops with a known number of iterations: {@link UnrollLoops}. */
  UNROLL_LOOPS,
  /** Redirects jumps past tests with a known outcome: {@link ThreadJumps}. */
  THREAD_JUMPS,
  /** Eliminates common subexpressions: {@link ShareValues}. */
  SHARE_VALUES,
  /** Propagates constants and copies: {@link PropagateValues}. */
  PROPAGATE_VALUES,
  /** Removes dead stores to the stack: {@link EliminateDeadStores}. */
  ELIMINATE_DEAD_STORES,
  /** Tests the cheapest operand of a condition first. */
  ORDER_CONDITIONS;

  /** All passes. */
  public static final Set<Pass> ALL = Set.copyOf(EnumSet.allOf(Pass.class));
}
