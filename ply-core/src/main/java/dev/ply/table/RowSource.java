package dev.ply.table;

/**
 * Rows that are made when they are asked for, so that a map of millions of keys needs no objects
 * for them. Immutable: the same index always gives an equal row.
 */
public interface RowSource {
  /** {@return the number of rows} */
  int size();

  /**
   * {@return a row, made anew}
   *
   * @param index from 0 up, below the size
   */
  Row<Datum> row(int index);

  /**
   * {@return the order of two values: negative, zero or positive}
   *
   * @param a the index of a row
   * @param b the index of another
   */
  default int compareValues(int a, int b) {
    return compare(row(a).value(), row(b).value());
  }

  /**
   * {@return the order of two keys: negative, zero or positive}
   *
   * @param a the index of a row
   * @param b the index of another
   */
  default int compareKeys(int a, int b) {
    return DatumOrder.ASCENDING.compareAll(row(a).key().parts(), row(b).key().parts());
  }

  /**
   * {@return the order of two values, as in a table: negative, zero or positive}
   *
   * @param a of any kind
   * @param b of any kind
   */
  static int compare(Datum a, Datum b) {
    return DatumOrder.ASCENDING.compare(a, b);
  }
}
