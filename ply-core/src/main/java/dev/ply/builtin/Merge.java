package dev.ply.builtin;

import java.util.Arrays;

/** How the accumulators of CPUs are merged. Words of zeros are neutral. */
public interface Merge {
  /** The sum of each word. */
  Merge SUM =
      new Merge() {
        @Override
        public boolean canSubtract() {
          return true;
        }

        @Override
        public long[] of(long[] a, long[] b) {
          long[] words = a.clone();
          Arrays.setAll(words, i -> a[i] + b[i]);
          return words;
        }

        @Override
        public long[] since(long[] words, long[] shown) {
          long[] added = words.clone();
          Arrays.setAll(added, i -> words[i] - shown[i]);
          return added;
        }
      };

  /** The unsigned maximum of each word. */
  Merge MAXIMUM =
      new Merge() {
        @Override
        public boolean canSubtract() {
          return false;
        }

        @Override
        public long[] of(long[] a, long[] b) {
          long[] words = a.clone();
          Arrays.setAll(words, i -> Long.compareUnsigned(a[i], b[i]) < 0 ? b[i] : a[i]);
          return words;
        }
      };

  /** Returns whether earlier words can be subtracted from later ones. */
  boolean canSubtract();

  /** Merges two accumulators of the same number of words. */
  long[] of(long[] a, long[] b);

  /**
   * Returns what remains of words when what was shown of them is taken away; where they cannot be
   * subtracted, all of them if any has changed, else zeros.
   */
  default long[] since(long[] words, long[] shown) {
    return Arrays.equals(words, shown) ? new long[words.length] : words;
  }
}
