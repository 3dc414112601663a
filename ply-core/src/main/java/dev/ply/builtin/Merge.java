package dev.ply.builtin;

/** How the accumulators of CPUs are merged, word by word. Zero is neutral. */
public enum Merge {
  /** The sum. */
  SUM {
    @Override
    public long of(long a, long b) {
      return a + b;
    }
  },
  /** The unsigned maximum. */
  MAXIMUM {
    @Override
    public long of(long a, long b) {
      return Long.compareUnsigned(a, b) < 0 ? b : a;
    }
  };

  /** Merges two words. */
  public abstract long of(long a, long b);
}
