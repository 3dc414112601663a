package dev.ply.table;

import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats a whole map as at the end of a trace: a blank line, the map's name, a row per key.
 *
 * <p>A map without keys is one line, {@code @: 42}. An empty map is omitted. Rows are ascending by
 * value, histograms by their number of values; the parts of keys stand in columns, as wide as the
 * widest, numbers at their right.
 */
public final class TableFormat {
  private final DatumFormat data;

  /**
   * Formats keys and values with {@code data}.
   *
   * @param data the format of keys and values
   */
  public TableFormat(DatumFormat data) {
    this.data = data;
  }

  /**
   * {@return the dump of {@code table}, empty if it has no rows}
   *
   * @param name of the map, with its {@code @}
   * @param table with rows in any order
   */
  public String format(String name, Table<Datum> table) {
    TextBuffer out = new TextBuffer();
    append(out, name, table);
    return out.toString();
  }

  /**
   * Writes the dump of {@code table}, nothing if it has no rows.
   *
   * @param out receives the dump
   * @param name of the map, with its {@code @}
   * @param table with rows in any order
   */
  public void append(TextBuffer out, String name, Table<Datum> table) {
    if (table.isEmpty()) {
      return;
    }
    out.append('\n').append(name).append(':');
    if (table.rows().get(0).key().parts().isEmpty()) {
      Datum value = table.single();
      if (!value.isDrawn()) {
        out.append(' ');
      }
      data.append(out, value);
      out.append('\n');
      return;
    }
    out.append('\n');
    if (data.style() == Style.COMPATIBLE) {
      appendByTypes(out, table);
    } else {
      appendByData(out, RowOrder.bySize(table));
    }
  }

  /** Writes the rows in the order and the columns of ply 2.4, which follow the types. */
  private void appendByTypes(TextBuffer out, Table<Datum> table) {
    for (Row<Datum> row : table) {
      data.appendKey(out, row.key());
      out.append(": ");
      data.append(out, row.value());
      out.append('\n').spill();
    }
  }

  private void appendByData(TextBuffer out, List<Row<Datum>> rows) {
    List<KeyColumn> columns = new ArrayList<>();
    for (int i = 0; i < rows.get(0).key().parts().size(); i++) {
      columns.add(KeyColumn.of(data, rows, i));
    }
    for (Row<Datum> row : rows) {
      out.append("{ ");
      for (int i = 0; i < columns.size(); i++) {
        out.append(i > 0 ? ", " : "");
        columns.get(i).append(out, data, row.key().parts().get(i));
      }
      out.append(" }:").append(row.value().isDrawn() ? "" : " ");
      data.append(out, row.value());
      out.append('\n').spill();
    }
  }
}
