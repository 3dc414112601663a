package dev.ply.lang.argdist;

/** What a specifier collects of the values of its expressions. */
public enum Collect {
  /** How often each combination of values occurred: {@code -C}. */
  COUNTS,
  /** A histogram of powers of two: {@code -H}. */
  HISTOGRAM
}
