package dev.ply.result;

import java.util.List;

/** The layout of ply. */
record PlyFormat(DatumFormat values) implements LineFormat {
  /** ply writes the format verbatim, {@code %%} too. */
  @Override
  public String withoutArguments(PrintfFormat format) {
    return format.toString();
  }

  @Override
  public void appendMap(TextBuffer out, Datum.Dump map) {
    values.append(out, map);
    out.append('\n');
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, RowOrder.bySize(table), count);
  }

  @Override
  public void appendMaps(TextBuffer out, List<Datum.Dump> maps) {
    for (Datum.Dump map : maps) {
      values.append(out, map);
    }
  }
}
