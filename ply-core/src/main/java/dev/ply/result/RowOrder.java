package dev.ply.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The order of a table's rows: ascending by value, those of one value by key. A map may have
 * millions of keys, most often numbers, and comparing numbers where they stand means to look for
 * them all over the memory: so those that matter most are copied next to each other first.
 */
final class RowOrder {
  /** What has to be looked at itself: no number, or one that is larger than all that fit. */
  private static final long OTHER = Long.MAX_VALUE;

  private RowOrder() {}

  /**
   * A row to sort.
   *
   * @param value the value's number
   * @param key the number of the key's first part
   */
  private record Sortable(long value, long key, Row<Datum> row) {
    static Sortable of(Row<Datum> row) {
      List<Datum> parts = row.key().parts();
      return new Sortable(number(row.value()), parts.isEmpty() ? OTHER : number(parts.get(0)), row);
    }

    /** Numbers come before everything else. */
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

  /** Returns the rows in their order. */
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
