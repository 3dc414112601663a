package dev.ply.lang;

/** The functions that aggregate. */
enum AggregateFunction {
  /** How often. */
  COUNT,
  /** How much. */
  SUM,
  /** How distributed over powers of two. */
  QUANTIZE
}
