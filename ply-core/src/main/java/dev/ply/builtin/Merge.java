package dev.ply.builtin;

/** How the words that each CPU has of an accumulator become one. Zero is the neutral word. */
public enum Merge {
  /** They are added. */
  SUM {
    @Override
    public long of(long a, long b) {
      return a + b;
    }
  },
  /** The largest as an unsigned number. */
  MAXIMUM {
    @Override
    public long of(long a, long b) {
      return Long.compareUnsigned(a, b) < 0 ? b : a;
    }
  };

  /** Returns what two words become. */
  public abstract long of(long a, long b);
}
