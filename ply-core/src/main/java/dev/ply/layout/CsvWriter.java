package dev.ply.layout;

import dev.ply.render.BpftraceValues;
import dev.ply.render.ConversionWriter;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Item;
import dev.ply.result.Message;
import dev.ply.result.TraceLine;
import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.RowOrder;
import dev.ply.table.Statistics;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import dev.ply.text.Escaping;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Writes lines of comma-separated values, each after a line of headings where those change. Numbers
 * are plain, in the unit of the heading; control characters are escaped, and text that a
 * spreadsheet would take for a formula is prefixed with an apostrophe.
 */
final class CsvWriter {
  private final Target target;
  private final BpftraceValues values;
  private List<String> headings = List.of();

  CsvWriter(Target target) {
    this.target = target;
    this.values = new BpftraceValues(target, Escaping.ALL);
  }

  /** Returns the format of values. */
  BpftraceValues values() {
    return values;
  }

  static List<String> columnsOf(TraceLine line) {
    List<String> columns = new ArrayList<>(List.of("event"));
    line.columns().stream().map(TraceLine.Column::name).forEach(columns::add);
    return columns;
  }

  static List<String> columnsOf(EventShape shape) {
    List<String> columns = new ArrayList<>(List.of("event"));
    shape.items().stream().map(Item::name).forEach(columns::add);
    return columns;
  }

  void appendEvent(TextBuffer out, List<String> columns, String name, List<Datum> data) {
    appendHeadings(out, columns);
    out.append(name);
    data.forEach(datum -> appendField(out.append(','), datum));
    out.append('\n');
  }

  /** Writes a hit of a probe event, whose fields have formats of their own. */
  void appendHit(TextBuffer out, List<String> headings, TraceLine line, List<Datum> data) {
    appendHeadings(out, headings);
    out.append(line.event());
    int next = 0;
    for (TraceLine.Column column : line.columns()) {
      List<Datum> shown = data.subList(next, next + column.items());
      next += column.items();
      TextBuffer field = new TextBuffer();
      if (shown.size() == 1 && shown.get(0) instanceof Datum.Quoted quoted) {
        field.appendEscaped(quoted.text().orElse(""));
      } else {
        ConversionWriter.append(field, PrintfFormat.parse(column.format()), shown, values);
      }
      boolean isText = column.format().equals("%s") || column.format().equals("%c");
      out.append(',');
      if (isText) {
        appendQuoted(out, field.toString());
      } else {
        append(out, field.toString());
      }
    }
    out.append('\n');
  }

  void appendText(TextBuffer out, Message message, String text) {
    appendHeadings(out, List.of("event", "text"));
    out.append(message.type()).append(',');
    appendQuoted(out, text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    out.append('\n');
  }

  void appendMap(TextBuffer out, NamedTable map) {
    List<String> columns = new ArrayList<>(List.of("map"));
    map.schema().keys().forEach(key -> columns.add(key.name()));
    String unit = suffix(map.schema().unit());
    columns.addAll(valueColumns(map.table().rows().get(0).value(), unit));
    appendHeadings(out, columns);
    for (Row<Datum> row : RowOrder.bySize(map.table())) {
      for (List<String> value : values(row.value())) {
        append(out, map.name());
        row.key().parts().forEach(part -> appendField(out.append(','), part));
        value.forEach(field -> out.append(',').append(field));
        out.append('\n').spill();
      }
    }
  }

  private static String suffix(TableSchema.Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> "_ns";
      case BYTES -> "_bytes";
      case PAGES -> "_pages";
      case CALLS, NONE -> "";
    };
  }

  private static List<String> valueColumns(Datum value, String unit) {
    if (value instanceof Datum.Distribution || value instanceof Datum.Buckets) {
      return List.of("from" + unit, "below" + unit, "count");
    } else if (value instanceof Datum.Stats) {
      return List.of("count", "average" + unit, "total" + unit);
    }
    return value instanceof Datum.Series
        ? List.of("time_ns", "value" + unit)
        : List.of("value" + unit);
  }

  /** Returns the rows that a value takes, each with its fields. */
  private List<List<String>> values(Datum value) {
    if (value instanceof Datum.Distribution distribution) {
      return ranges(distribution.shown().buckets());
    } else if (value instanceof Datum.Buckets buckets) {
      return ranges(buckets.histogram().buckets());
    } else if (value instanceof Datum.Stats stats) {
      Statistics all = stats.statistics();
      return List.of(
          List.of(
              Long.toUnsignedString(all.count()),
              String.valueOf(all.average()),
              String.valueOf(all.total())));
    } else if (value instanceof Datum.Series series) {
      return series.series().points().stream()
          .map(point -> List.of(String.valueOf(point.start()), String.valueOf(point.value())))
          .toList();
    }
    TextBuffer field = new TextBuffer();
    appendField(field, value);
    return List.of(List.of(field.toString()));
  }

  private static List<List<String>> ranges(List<Bucket> buckets) {
    return buckets.stream()
        .filter(bucket -> bucket.count() != 0)
        .map(
            bucket ->
                List.of(limit(bucket.low()), limit(bucket.high()), String.valueOf(bucket.count())))
        .toList();
  }

  private static String limit(OptionalLong limit) {
    return limit.isPresent() ? String.valueOf(limit.getAsLong()) : "";
  }

  private void appendField(TextBuffer out, Datum datum) {
    if (datum.isStack()) {
      appendQuoted(out, FlameGraph.folded(FlameGraph.functions(datum, target.symbols())));
    } else if (datum instanceof Datum.Int || datum instanceof Datum.Real) {
      append(out, values.format(datum));
    } else {
      appendQuoted(out, values.format(datum).strip());
    }
  }

  /** Writes the names of columns, unless they are those of the line before. */
  synchronized void appendHeadings(TextBuffer out, List<String> columns) {
    if (!headings.equals(columns)) {
      headings = List.copyOf(columns);
      for (int i = 0; i < columns.size(); i++) {
        append(out.append(i > 0 ? "," : ""), columns.get(i));
      }
      out.append('\n');
    }
  }

  /** Writes text that can be traced data, so that no spreadsheet takes it for a formula. */
  static void appendQuoted(TextBuffer out, String text) {
    boolean isFormula = !text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0;
    append(out, isFormula ? "'" + text : text);
  }

  private static void append(TextBuffer out, String field) {
    boolean isPlain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    out.append(isPlain ? field : '"' + field.replace("\"", "\"\"") + '"');
  }
}
