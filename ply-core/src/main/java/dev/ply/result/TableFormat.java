package dev.ply.result;

/**
 * Formats a whole map as at the end of a trace: a blank line, the map's name, a row per key.
 *
 * <p>A map without keys is one line, {@code @: 42}. An empty map is omitted.
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
    for (Row<Datum> row : table) {
      data.appendKey(out, row.key());
      out.append(": ");
      data.append(out, row.value());
      out.append('\n');
    }
  }
}
