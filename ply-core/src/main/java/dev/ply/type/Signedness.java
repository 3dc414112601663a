package dev.ply.type;

/** Whether an integer carries a sign. */
public enum Signedness {
  /** Two's complement. */
  SIGNED,
  /** No sign. */
  UNSIGNED
}
