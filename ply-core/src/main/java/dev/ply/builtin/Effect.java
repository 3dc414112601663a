package dev.ply.builtin;

/** What evaluating a built-in does, and whether doing it again yields the same. */
public enum Effect {
  /** None, and the value is the same as long as a program runs. */
  INVARIANT,
  /** None, but the value depends on the moment, on memory or on the arguments. */
  PURE,
  /** Sends an event to user space; there is no value. */
  EVENT
}
