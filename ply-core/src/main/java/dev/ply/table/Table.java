package dev.ply.table;

import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
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
  private final Optional<Target> target;
  private final Optional<V> initial;

  private Table(List<Row<V>> rows, Optional<Target> target, Optional<V> initial) {
    this.rows = areMade(rows) ? rows : List.copyOf(rows);
    this.target = target;
    this.initial = initial;
  }

  /** Returns whether rows are decoded when read, so that copying them is a waste. */
  private static boolean areMade(Object rows) {
    return rows instanceof OrderedRows || rows instanceof ConvertedRows;
  }

  /**
   * Creates a table of {@code rows}, in any order.
   *
   * @param rows with keys of one type
   * @return the table, its rows in ascending order
   */
  public static Table<Datum> of(Collection<Row<Datum>> rows) {
    return new Table<>(RowOrder.sorted(rows), Optional.empty(), Optional.empty());
  }

  /**
   * Creates a table of rows that are made whenever they are read.
   *
   * @param rows in any order, with keys of one type
   * @return the table, its rows in ascending order
   */
  public static Table<Datum> of(RowSource rows) {
    return new Table<>(OrderedRows.of(rows), Optional.empty(), Optional.empty());
  }

  /**
   * {@return this table with the symbols and clocks of the target that it was read on}
   *
   * @param origin of the trace
   */
  public Table<V> on(Target origin) {
    return new Table<>(rows, Optional.of(origin), initial);
  }

  /**
   * {@return this table with the value that {@code print} shows in bpftrace's layouts while there
   * is no row}
   *
   * @param value that a map without keys starts from
   */
  public Table<V> startingAt(V value) {
    return new Table<>(rows, target, Optional.of(value));
  }

  /** {@return the rows; of a map without any, one row with its initial value} */
  public List<Row<V>> rowsOrInitial() {
    return rows.isEmpty()
        ? initial.stream().map(value -> new Row<>(new Key(List.of()), value)).toList()
        : rows;
  }

  /** {@return the target that this was read on, if it is known} */
  public Optional<Target> target() {
    return target;
  }

  /** Returns the symbols of the kernel that this was read on. */
  KernelSymbols symbols() {
    return symbols(target);
  }

  static KernelSymbols symbols(Optional<Target> target) {
    return target.map(Target::symbols).orElse(KernelSymbols.NONE);
  }

  /**
   * {@return the rows as records, in their order: components for the parts of the key, then one for
   * the value}
   *
   * <p>Components take what {@link dev.ply.ProbeBuilder#emit} says, integers any number that fits,
   * and the value also a {@link Histogram}, {@link BucketHistogram}, {@link TimeSeries} or {@link
   * Statistics}.
   *
   * @param <R> what the operation returns
   * @param type a record whose constructor is accessible
   * @throws IllegalArgumentException if a component does not take its part, with both
   */
  public <R extends Record> List<R> rowsAs(Class<R> type) {
    RowDecoder<R> decoder = new RowDecoder<>(type, target);
    return rows.stream().map(decoder::decode).toList();
  }

  /**
   * {@return this table with converted values; the rows keep their order}
   *
   * @param <W> the type of converted values
   * @param conversion of each value, without side effects
   */
  public <W> Table<W> map(Function<? super V, ? extends W> conversion) {
    if (areMade(rows)) {
      return new Table<>(new ConvertedRows<>(rows, conversion), target, initial.map(conversion));
    }
    List<Row<W>> converted = new ArrayList<>(rows.size());
    for (Row<V> row : rows) {
      converted.add(new Row<>(row.key(), conversion.apply(row.value())));
    }
    return new Table<>(converted, target, initial.map(conversion));
  }

  /** {@return the rows, ascending by value} */
  public List<Row<V>> rows() {
    return rows;
  }

  /**
   * {@return the {@code count} rows with the largest values, the largest first}
   *
   * @param count the maximum number of rows
   */
  public List<Row<V>> top(int count) {
    List<Row<V>> top = new ArrayList<>();
    for (int i = rows.size() - 1; i >= 0 && top.size() < count; i--) {
      top.add(rows.get(i));
    }
    return List.copyOf(top);
  }

  /**
   * {@return the table of the last rows}
   *
   * @param table of a map
   * @param ordered all its rows, in another order
   * @param count the maximum number of rows
   */
  public static Table<Datum> last(Table<Datum> table, List<Row<Datum>> ordered, int count) {
    if (count >= ordered.size()) {
      return table;
    }
    List<Row<Datum>> last =
        ordered instanceof OrderedRows rows
            ? rows.last(count)
            : RowOrder.sorted(ordered.subList(ordered.size() - count, ordered.size()));
    return new Table<>(last, table.target, table.initial);
  }

  /**
   * {@return the value of a map without keys, or of the only row}
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
   * {@return the value of a key, given by its components: a number for an integer or address, a
   * string for a string, or a {@link Datum}} Linear in the number of rows.
   *
   * @param keyParts in the order of the key's components; none for a map without keys
   * @throws IllegalArgumentException if a component is of another kind than in the rows, or the
   *     number of components differs; a table without rows has any
   */
  public Optional<V> get(Object... keyParts) {
    if (!rows.isEmpty()) {
      rows.get(0).key().requireKinds(keyParts);
    }
    return rows.stream().filter(row -> row.key().matches(keyParts)).map(Row::value).findFirst();
  }

  /** {@return whether there are no rows} */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** {@return the number of rows} */
  public int size() {
    return rows.size();
  }

  /** {@return the rows, ascending by value} */
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

  /** {@return a line per row: the key, if it has components, and the value} */
  @Override
  public String toString() {
    return rows.stream()
        .map(row -> (row.key().parts().isEmpty() ? "" : row.key() + ": ") + text(row.value()))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Object value) {
    return value instanceof Datum datum ? datum.toText() : value.toString();
  }
}
