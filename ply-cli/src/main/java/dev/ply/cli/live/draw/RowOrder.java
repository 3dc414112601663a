package dev.ply.cli.live.draw;

import dev.ply.cli.live.draw.TableColumn.Role;
import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.PaneState;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.cli.live.model.ViewState;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.table.Key;
import dev.ply.table.RowSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rows of a map in the order and as far as the user wants to see them. */
public final class RowOrder {
  private static final Comparator<RowHistory> BY_KEY =
      (a, b) -> {
        for (int i = 0; i < a.key().parts().size(); i++) {
          int order = RowSource.compare(a.key().parts().get(i), b.key().parts().get(i));
          if (order != 0) {
            return order;
          }
        }
        return 0;
      };

  private final List<TableColumn> columns;
  private final List<RowHistory> rows;
  private final int sort;
  private final boolean isDescending;
  private final boolean isFiltered;
  private final int selected;

  private RowOrder(
      List<TableColumn> columns,
      List<RowHistory> rows,
      int sort,
      boolean isDescending,
      boolean isFiltered,
      int selected) {
    this.columns = columns;
    this.rows = rows;
    this.sort = sort;
    this.isDescending = isDescending;
    this.isFiltered = isFiltered;
    this.selected = selected;
  }

  /** {@return the rows of a map} */
  static RowOrder of(MapHistory map, PaneState pane, ViewState state, KeyText texts) {
    List<TableColumn> columns = TableColumn.of(map, state.mode(), texts);
    int sort = Math.min(pane.sort().orElse(usual(columns, state.mode())), columns.size() - 1);
    boolean isDescending = (columns.get(sort).role() != Role.KEY) != pane.isReversed();
    List<RowHistory> rows = map.ascending();
    if (state.filter().isPresent() && !map.schema().keys().isEmpty()) {
      Pattern filter = state.filter().get();
      rows.removeIf(row -> !matches(row, filter, columns));
    }
    Comparator<RowHistory> order = columns.get(sort).order().thenComparing(BY_KEY);
    rows.sort(isDescending ? order.reversed() : order);
    int selected = pane.selected().map(key -> index(rows, key)).orElse(-1);
    return new RowOrder(columns, rows, sort, isDescending, state.filter().isPresent(), selected);
  }

  private static boolean matches(RowHistory row, Pattern filter, List<TableColumn> columns) {
    return columns.stream()
        .filter(column -> column.role() == Role.KEY)
        .anyMatch(column -> filter.matcher(column.text().apply(row)).find());
  }

  private static int index(List<RowHistory> rows, Key key) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the column of values that says most. */
  private static int usual(List<TableColumn> columns, Mode mode) {
    Role wanted = mode == Mode.RATES ? Role.RATE : Role.TOTAL;
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).role() == wanted) {
        return i;
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).role() != Role.KEY) {
        return i;
      }
    }
    return 0;
  }

  List<TableColumn> columns() {
    return columns;
  }

  /** {@return the number of columns} */
  public int width() {
    return columns.size();
  }

  /** {@return the column that rows are sorted by} */
  public int sort() {
    return sort;
  }

  boolean isDescending() {
    return isDescending;
  }

  boolean isFiltered() {
    return isFiltered;
  }

  /** {@return the number of rows} */
  public int size() {
    return rows.size();
  }

  boolean isSelected(RowHistory row) {
    return selected >= 0 && rows.get(selected) == row;
  }

  /** {@return where the selected row is; -1 if none is, or it is gone} */
  public int selected() {
    return selected;
  }

  /** {@return the key of a row, of the first or last one beyond these} */
  public Optional<Key> key(int index) {
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(rows.get(Math.max(0, Math.min(index, rows.size() - 1))).key());
  }

  /** {@return the selected row, else the first one} */
  Optional<RowHistory> row() {
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(Math.max(0, selected)));
  }

  /** Returns the rows that are shown: the first ones, or those around the selected one. */
  List<RowHistory> window(int height) {
    int count = Math.max(0, Math.min(height, rows.size()));
    int first = Math.max(0, Math.min(selected - count / 2, rows.size() - count));
    return rows.subList(first, first + count);
  }
}
