package dev.ply.json;

import dev.ply.render.BpftraceFormat;
import dev.ply.render.TextRenderer;
import dev.ply.result.Message;
import dev.ply.result.Result;
import dev.ply.result.TraceLine;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.ValueFormat;
import dev.ply.text.JsonString;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * Lines of JSON as bpftrace writes them, an object each: its {@code type}, and its {@code data}.
 *
 * @param text how {@code printf} formats its strings
 */
public record JsonFormat(TextRenderer text, JsonValues values) implements TextRenderer {
  private static final Frame ONE = new Frame(begin("value"), "", "}\n");
  private static final Frame SEVERAL = new Frame(begin("value") + "[", ",", "]}\n");

  static String begin(String type) {
    return "{\"type\": \"" + type + "\", \"data\": ";
  }

  @Override
  public ValueFormat conversions() {
    return text.conversions();
  }

  @Override
  public Frame frame(int count) {
    return count == 1 ? ONE : SEVERAL;
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return text.withoutArguments(format);
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    byte[] line = out.cut(start);
    out.append(begin(message.type()));
    JsonString.append(out, line);
    out.append("}\n");
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    List<Row<Datum>> rows = map.table().rowsOrInitial();
    if (!rows.isEmpty()) {
      out.append(begin(type(rows.get(0).value())));
      values.appendMap(out, map);
      out.append("}\n");
    }
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, BpftraceFormat.rows(table), count);
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    maps.stream()
        .filter(map -> !map.table().isEmpty())
        .sorted(Comparator.comparing(NamedTable::name))
        .forEach(map -> appendMap(out, map));
  }

  @Override
  public PrintfFormat traceFormat(TraceLine line) {
    return PrintfFormat.parse(line.jsonFormat());
  }

  @Override
  public ValueFormat traceValues() {
    return new JsonContent(values);
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return result.accept(new JsonResults(out, this));
  }

  private static String type(Datum value) {
    if (value instanceof Datum.Series) {
      return "tseries";
    }
    if (value.isDrawn()) {
      return "hist";
    }
    boolean isStatistics =
        value instanceof Datum.Stats
            || (value instanceof Datum.Int number && number.type().format().isAverage());
    return isStatistics ? "stats" : "map";
  }
}
