package dev.ply.type;

/** Signed or unsigned. */
public enum Signedness {
  /** Two's complement. */
  SIGNED,
  /** Unsigned. */
  UNSIGNED
}
