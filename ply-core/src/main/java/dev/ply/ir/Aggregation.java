package dev.ply.ir;

/** What an aggregating map makes of the values it is given. */
public sealed interface Aggregation {
  /** Returns the place in the source. */
  SourceSpan span();

  /** The number of updates. */
  record Count(SourceSpan span) implements Aggregation {}

  /** The sum of a value. */
  record Sum(Expr value, SourceSpan span) implements Aggregation {}

  /** The distribution of a value over powers of two. */
  record Quantize(Expr value, SourceSpan span) implements Aggregation {}
}
