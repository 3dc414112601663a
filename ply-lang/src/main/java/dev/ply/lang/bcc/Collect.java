package dev.ply.lang.bcc;

/** How a specifier aggregates the values of its expressions. */
public enum Collect {
  /** How often each combination of values occurred: {@code -C}. */
  COUNTS,
  /** A histogram of powers of two: {@code -H}. */
  HISTOGRAM
}
