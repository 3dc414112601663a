package dev.ply.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The order of a table's rows: ascending by value, then by key. A map can have millions of rows,
 * usually with numbers, which are scattered over the heap: so the numbers that decide most
 * comparisons are first copied to adjacent memory.
 */
public final class RowOrder {
  /** Numbers by value, histograms by their number of values, statistics by average; then by key. */
  static final Comparator<Row<?>> BY_WEIGHT =
      Comparator.<Row<?>>comparingLong(row -> weight(row.value()))
          .thenComparing(row -> row.key().parts(), DatumOrder.ASCENDING::compareAll);

  /** Needs a full comparison: no number, or one beyond the range used here. */
  private static final long OTHER = Long.MAX_VALUE;

  private RowOrder() {}

  /**
   * A row to sort.
   *
   * @param value the value as a number
   * @param key the key's first component as a number
   */
  private record Sortable(long value, long key, Row<Datum> row) {
    static Sortable of(Row<Datum> row) {
      List<Datum> parts = row.key().parts();
      return new Sortable(number(row.value()), parts.isEmpty() ? OTHER : number(parts.get(0)), row);
    }

    /** Numbers sort first. */
    private static long number(Datum datum) {
      if (!(datum instanceof Datum.Int number)) {
        return OTHER;
      }
      return number.value() < 0 && !number.type().isSigned() ? OTHER : number.value();
    }

    int compareTo(Sortable other) {
      int order = Long.compare(value, other.value);
      if (order == 0 && value == OTHER) {
        order = DatumOrder.ASCENDING.compare(row.value(), other.row.value());
      }
      if (order == 0) {
        order = Long.compare(key, other.key);
      }
      return order != 0
          ? order
          : DatumOrder.ASCENDING.compareAll(row.key().parts(), other.row.key().parts());
    }
  }

  /**
   * {@return the rows from the smallest value to the largest, distributions by {@link #BY_WEIGHT}}
   *
   * @param table of a map
   */
  public static List<Row<Datum>> bySize(Table<Datum> table) {
    boolean hasWeight =
        !table.isEmpty()
            && (table.rows().get(0).value() instanceof Datum.Distribution
                || table.rows().get(0).value() instanceof Datum.Buckets
                || table.rows().get(0).value() instanceof Datum.Stats);
    return hasWeight ? byWeight(table) : table.rows();
  }

  /**
   * {@return the rows by {@link #BY_WEIGHT}}
   *
   * @param table of a map
   */
  public static List<Row<Datum>> byWeight(Table<Datum> table) {
    return table.rows() instanceof OrderedRows rows
        ? rows.by(row -> weight(row.value()))
        : table.stream().sorted(BY_WEIGHT).toList();
  }

  private static long weight(Object value) {
    if (value instanceof Datum.Distribution distribution) {
      return distribution.histogram().count();
    } else if (value instanceof Datum.Buckets buckets) {
      return buckets.histogram().count();
    }
    return value instanceof Datum.Stats stats ? stats.statistics().average() : 0;
  }

  /** Returns the rows in order. */
  static List<Row<Datum>> sorted(Collection<Row<Datum>> rows) {
    List<Sortable> sortable = new ArrayList<>(rows.size());
    for (Row<Datum> row : rows) {
      sortable.add(Sortable.of(row));
    }
    sortable.sort(Sortable::compareTo);
    List<Row<Datum>> sorted = new ArrayList<>(rows.size());
    for (Sortable one : sortable) {
      sorted.add(one.row());
    }
    return sorted;
  }
}
