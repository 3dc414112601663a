package dev.ply.render;

import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.RowOrder;
import dev.ply.table.Table;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * The layout of bpftrace: a line per key, {@code @name[key]: value}, histograms below their key.
 */
public record BpftraceFormat(BpftraceValues values) implements LineFormat {
  @Override
  public String withoutArguments(PrintfFormat format) {
    return format.literal();
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    BpftraceValues inRows = values.inRows();
    for (Row<Datum> row : rows(map.table())) {
      out.append(map.name());
      appendKey(out, row.key(), inRows);
      out.append(inRows.isBlock(row.value()) ? ":\n" : ": ");
      inRows.append(out, row.value());
      out.append('\n').spill();
    }
  }

  /**
   * Returns the rows of a table: numbers ascending by value, histograms by their number of values,
   * statistics by their average, everything else by key.
   */
  public static List<Row<Datum>> rows(Table<Datum> table) {
    if (table.isEmpty() || table.rows().get(0).value() instanceof Datum.Int) {
      return table.rowsOrInitial();
    }
    return RowOrder.byWeight(table);
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, rows(table), count);
  }

  /** Maps with rows come in the order of their names, after two blank lines. */
  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    out.append("\n\n");
    maps.stream()
        .filter(map -> !map.table().isEmpty())
        .sorted(Comparator.comparing(NamedTable::name))
        .forEach(map -> appendMap(out, map));
  }

  private static void appendKey(TextBuffer out, Key key, BpftraceValues values) {
    if (!key.parts().isEmpty()) {
      out.append('[');
      values.appendAll(out, key.parts());
      out.append(']');
    }
  }
}
