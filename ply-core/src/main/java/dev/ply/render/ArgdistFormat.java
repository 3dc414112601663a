package dev.ply.render;

import dev.ply.result.Message;
import dev.ply.table.ArgdistTable;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.ValueFormat;
import dev.ply.text.Padding;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The layout of BCC's argdist: counts as lines of {@code expression = value} below a heading,
 * histograms with all rows up to the last that is not empty.
 */
public record ArgdistFormat(BpftraceFormat others, Map<String, ArgdistTable> tables)
    implements TextRenderer {
  private static final int COUNT_COLUMNS = 10;

  public ArgdistFormat {
    tables = Map.copyOf(tables);
  }

  @Override
  public ValueFormat values() {
    return others.values();
  }

  @Override
  public ValueFormat conversions() {
    return others.conversions();
  }

  @Override
  public Frame frame(int count) {
    return others.frame(count);
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return others.withoutArguments(format);
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    others.complete(out, start, message);
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    Optional<ArgdistTable> table = Optional.ofNullable(tables.get(map.name()));
    if (table.isEmpty()) {
      others.appendMap(out, map);
    } else if (table.get() instanceof ArgdistTable.Counts counts) {
      appendCounts(out, counts, map.table());
    } else if (table.get() instanceof ArgdistTable.Distribution distribution) {
      map.table()
          .forEach(
              row ->
                  ArgdistHistogram.append(
                      out, distribution.label(), ((Datum.Distribution) row.value()).shown()));
    }
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return others.largest(table, count);
  }

  private void appendCounts(TextBuffer out, ArgdistTable.Counts counts, Table<Datum> table) {
    out.appendEscaped(counts.heading()).append("\n\tCOUNT      EVENT\n");
    for (Row<Datum> row : table) {
      out.append('\t');
      int start = out.length();
      values().append(out, row.value());
      Padding.spaces(out, COUNT_COLUMNS - (out.length() - start));
      out.append(' ');
      appendEvent(out, counts.columns(), row.key());
      out.append('\n').spill();
    }
  }

  private void appendEvent(TextBuffer out, List<String> columns, Key key) {
    if (columns.isEmpty()) {
      out.append("total calls");
    }
    for (int i = 0; i < columns.size(); i++) {
      out.append(i > 0 ? ", " : "").appendEscaped(columns.get(i)).append(" = ");
      values().append(out, key.parts().get(i));
    }
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    maps.forEach(map -> appendMap(out, map));
  }
}
