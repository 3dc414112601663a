package dev.ply.table;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/** Rows whose values are converted whenever they are read. Immutable if the rows are. */
final class ConvertedRows<V, W> extends AbstractList<Row<W>> implements RandomAccess {
  private final List<Row<V>> rows;
  private final Function<? super V, ? extends W> conversion;

  ConvertedRows(List<Row<V>> rows, Function<? super V, ? extends W> conversion) {
    this.rows = rows;
    this.conversion = conversion;
  }

  @Override
  public Row<W> get(int index) {
    Row<V> row = rows.get(index);
    return new Row<>(row.key(), conversion.apply(row.value()));
  }

  @Override
  public int size() {
    return rows.size();
  }
}
