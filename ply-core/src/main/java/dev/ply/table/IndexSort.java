package dev.ply.table;

import java.util.function.IntBinaryOperator;

/**
 * Stable merge sort of {@code int} indices with a comparator, using half as much memory again. The
 * JDK's comparator sorts would box every index.
 */
final class IndexSort {
  /** Runs of this length are sorted by insertion. */
  private static final int SHORT = 8;

  private final int[] indices;
  private final int[] lower;
  private final IntBinaryOperator comparison;

  private IndexSort(int[] indices, IntBinaryOperator comparison) {
    this.indices = indices;
    this.lower = new int[(indices.length + 1) / 2];
    this.comparison = comparison;
  }

  /** Sorts {@code indices} ascending by {@code comparison}, which is given two of them. */
  static void sort(int[] indices, IntBinaryOperator comparison) {
    new IndexSort(indices, comparison).sort(0, indices.length);
  }

  private void sort(int start, int end) {
    if (end - start <= SHORT) {
      insert(start, end);
      return;
    }
    int middle = start + (end - start + 1) / 2;
    sort(start, middle);
    sort(middle, end);
    if (comparison.applyAsInt(indices[middle - 1], indices[middle]) > 0) {
      merge(start, middle, end);
    }
  }

  private void insert(int start, int end) {
    for (int i = start + 1; i < end; i++) {
      int index = indices[i];
      int at = i;
      while (at > start && comparison.applyAsInt(indices[at - 1], index) > 0) {
        indices[at] = indices[at - 1];
        at--;
      }
      indices[at] = index;
    }
  }

  private void merge(int start, int middle, int end) {
    int length = middle - start;
    System.arraycopy(indices, start, lower, 0, length);
    int low = 0;
    int high = middle;
    int at = start;
    while (low < length && high < end) {
      indices[at++] =
          comparison.applyAsInt(lower[low], indices[high]) <= 0 ? lower[low++] : indices[high++];
    }
    System.arraycopy(lower, low, indices, at, length - low);
  }
}
