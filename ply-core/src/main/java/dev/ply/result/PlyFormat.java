package dev.ply.result;

import java.util.List;

/** The layout of ply. */
record PlyFormat(DatumFormat values) implements ResultFormat {
  private static final Frame LINE = new Frame("", ", ", "\n");

  @Override
  public ValueFormat conversions() {
    return values;
  }

  @Override
  public Frame frame(int count) {
    return LINE;
  }

  /** ply writes the format verbatim, {@code %%} too. */
  @Override
  public String withoutArguments(PrintfFormat format) {
    return format.toString();
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    if (message.isLine()) {
      out.append('\n');
    }
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

  @Override
  public void appendAttached(TextBuffer out, int probes) {}

  @Override
  public void appendLost(TextBuffer out, long events) {}
}
