package dev.ply.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A snapshot of a map: its entries, ascending by value, then by key. Immutable.
 *
 * @param <V> the type of values
 */
public final class Table<V> implements Iterable<Row<V>> {
  private final List<Row<V>> rows;

  private Table(List<Row<V>> rows) {
    this.rows = List.copyOf(rows);
  }

  /** Creates a table of {@code rows}, in any order. */
  public static Table<Datum> of(Collection<Row<Datum>> rows) {
    return new Table<>(RowOrder.sorted(rows));
  }

  /** Returns this table with converted values; the rows keep their order. */
  public <W> Table<W> map(Function<? super V, ? extends W> conversion) {
    List<Row<W>> converted = new ArrayList<>(rows.size());
    for (Row<V> row : rows) {
      converted.add(new Row<>(row.key(), conversion.apply(row.value())));
    }
    return new Table<>(converted);
  }

  /** Returns the rows, ascending by value. */
  public List<Row<V>> rows() {
    return rows;
  }

  /** Returns the {@code count} rows with the largest values, the largest first. */
  public List<Row<V>> top(int count) {
    List<Row<V>> top = new ArrayList<>();
    for (int i = rows.size() - 1; i >= 0 && top.size() < count; i--) {
      top.add(rows.get(i));
    }
    return List.copyOf(top);
  }

  /** Returns the table of the {@code count} rows with the largest values. */
  public Table<V> largest(int count) {
    return count >= rows.size()
        ? this
        : new Table<>(rows.subList(rows.size() - count, rows.size()));
  }

  /**
   * Returns the value of a map without keys, or of the only row.
   *
   * @throws IllegalStateException unless there is exactly one row
   */
  public V single() {
    if (rows.size() != 1) {
      throw new IllegalStateException(
          "expected one row, found " + (rows.isEmpty() ? "none" : String.valueOf(rows.size())));
    }
    return rows.get(0).value();
  }

  /**
   * Returns the value of a key, given by its components: a number for an integer or address, a
   * string for a string, or a {@link Datum}. Linear in the number of rows.
   *
   * @throws IllegalArgumentException if a component is of another kind
   */
  public Optional<V> get(Object... keyParts) {
    return rows.stream().filter(row -> row.key().matches(keyParts)).map(Row::value).findFirst();
  }

  /** Returns whether there are no rows. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.size();
  }

  /** Returns the rows, ascending by value. */
  public Stream<Row<V>> stream() {
    return rows.stream();
  }

  @Override
  public Iterator<Row<V>> iterator() {
    return rows.iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Table<?> that && rows.equals(that.rows);
  }

  @Override
  public int hashCode() {
    return rows.hashCode();
  }

  /** Returns a line per row: the key, if it has components, and the value. */
  @Override
  public String toString() {
    return rows.stream()
        .map(row -> (row.key().parts().isEmpty() ? "" : row.key() + ": ") + row.value())
        .collect(Collectors.joining("\n"));
  }
}
