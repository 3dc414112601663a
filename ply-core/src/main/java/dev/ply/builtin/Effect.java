package dev.ply.builtin;

/** The effect of evaluating a built-in, and whether its value can change. */
public enum Effect {
  /** No effect; the value is constant during a run of the program. */
  INVARIANT,
  /** No effect; the value depends on time, memory or the arguments. */
  PURE,
  /** Changes a map or memory; the value depends on that. */
  CHANGE,
  /** Sends an event to user space; no value. */
  EVENT,
  /** Acts on the current thread or the probed function at once; no value. */
  ACTION
}
