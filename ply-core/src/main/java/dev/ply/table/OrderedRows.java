package dev.ply.table;

import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.function.IntBinaryOperator;
import java.util.function.ToLongFunction;

/**
 * The rows of a source in an order, four bytes each: a row is made whenever it is read. Immutable.
 */
final class OrderedRows extends AbstractList<Row<Datum>> implements RandomAccess {
  private final RowSource source;
  private final int[] order;

  private OrderedRows(RowSource source, int[] order) {
    this.source = source;
    this.order = order;
  }

  /** Returns all rows, ascending by value, then by key. */
  static OrderedRows of(RowSource source) {
    int[] order = new int[source.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    return new OrderedRows(source, sorted(source, order));
  }

  private static int[] sorted(RowSource source, int[] order) {
    IndexSort.sort(
        order,
        (a, b) -> {
          int byValue = source.compareValues(a, b);
          return byValue != 0 ? byValue : source.compareKeys(a, b);
        });
    return order;
  }

  /** Returns these rows ascending by {@code weight}, then by key. */
  OrderedRows by(ToLongFunction<Row<Datum>> weight) {
    long[] weights = new long[source.size()];
    for (int index : order) {
      weights[index] = weight.applyAsLong(source.row(index));
    }
    int[] byWeight = order.clone();
    IntBinaryOperator comparison =
        (a, b) -> {
          int compared = Long.compare(weights[a], weights[b]);
          return compared != 0 ? compared : source.compareKeys(a, b);
        };
    IndexSort.sort(byWeight, comparison);
    return new OrderedRows(source, byWeight);
  }

  /** Returns the last rows, ascending by value, then by key. */
  OrderedRows last(int count) {
    int[] rest = new int[count];
    System.arraycopy(order, order.length - count, rest, 0, count);
    return new OrderedRows(source, sorted(source, rest));
  }

  @Override
  public Row<Datum> get(int index) {
    return source.row(order[index]);
  }

  @Override
  public int size() {
    return order.length;
  }
}
