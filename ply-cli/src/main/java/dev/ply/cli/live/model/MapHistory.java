package dev.ply.cli.live.model;

import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A map: its rows as last read, each with its last minute. Not thread-safe. */
public final class MapHistory {
  /** Of more keys, the largest are shown. */
  public static final int MOST_KEYS = 20_000;

  /** Of so many histograms the seconds are kept by bucket, the largest. */
  private static final int MOST_HEATS = 50;

  private static final double SECOND = 1e9;

  /** A reading that comes a little early ends the second, too. */
  private static final double EARLY = 0.95;

  private final TableSchema schema;
  private final Map<Key, RowHistory> rows = new HashMap<>();

  /** As the table has them, the largest last: sorting them by value again is quick. */
  private final List<RowHistory> ascending = new ArrayList<>();

  private Optional<Target> target = Optional.empty();
  private long began;
  private long readings;
  private long seconds;
  private int keys;

  /**
   * Creates a map without rows.
   *
   * @param begin of the trace, in ns
   */
  public MapHistory(TableSchema schema, long begin) {
    this.schema = schema;
    this.began = begin;
  }

  /** {@return what is known about the map} */
  public TableSchema schema() {
    return schema;
  }

  /** {@return whether values add up, so that what a second adds says more than the value} */
  public boolean isAdded() {
    return schema.aggregation().isEmpty()
        || switch (schema.aggregation().get()) {
          case "min", "max", "avg", "tseries" -> false;
          default -> true;
        };
  }

  /**
   * Takes a reading over.
   *
   * @param table the rows now
   * @param now the time in ns
   */
  public void read(Table<Datum> table, long now) {
    readings++;
    target = table.target();
    List<Row<Datum>> all = table.rowsOrInitial();
    keys = all.size();
    boolean isSecond = now - began >= EARLY * SECOND;
    int first = Math.max(0, keys - MOST_KEYS);
    ascending.clear();
    for (int i = first; i < keys; i++) {
      Row<Datum> row = all.get(i);
      RowHistory history = rows.get(row.key());
      if (history == null) {
        history = new RowHistory(row.key(), row.value(), schema.aggregation().isPresent());
        rows.put(row.key(), history);
      }
      history.read(row.value(), readings);
      ascending.add(history);
      if (i >= keys - MOST_HEATS && row.value().isDrawn()) {
        history.keepHeat(seconds > 0);
      }
    }
    if (rows.size() > keys - first) {
      rows.values().removeIf(history -> !history.isOf(readings));
    }
    if (isSecond) {
      double elapsed = (now - began) / SECOND;
      int passed = (int) Math.max(1, Math.round(elapsed));
      boolean isAdded = isAdded();
      rows.values().forEach(history -> history.endSecond(elapsed, passed, isAdded));
      began = now;
      seconds += passed;
    }
  }

  /** Lets totals begin from now on. */
  public void reset() {
    rows.values().forEach(RowHistory::reset);
  }

  /** {@return the rows, in no order} */
  public Collection<RowHistory> rows() {
    return rows.values();
  }

  /** {@return the rows in a new list, ascending by value, then by key} */
  public List<RowHistory> ascending() {
    return new ArrayList<>(ascending);
  }

  /** {@return the row of a key} */
  public Optional<RowHistory> row(Key key) {
    return Optional.ofNullable(rows.get(key));
  }

  /** {@return the number of keys of the map; more than rows if these are only the largest} */
  public int keys() {
    return keys;
  }

  /** {@return the symbols of the kernel} */
  public KernelSymbols symbols() {
    return target.map(Target::symbols).orElse(KernelSymbols.NONE);
  }
}
