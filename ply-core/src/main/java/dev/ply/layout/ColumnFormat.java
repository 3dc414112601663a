package dev.ply.layout;

import dev.ply.render.PlyFormat;
import dev.ply.render.TextRenderer;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape.Item;
import dev.ply.result.Message;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.RowOrder;
import dev.ply.table.ValueFormat;
import dev.ply.text.Padding;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;

/** Tables of text: values below their headings, and maps from the largest value down. */
record ColumnFormat(PlyFormat text, Columns columns) implements TextRenderer {
  @Override
  public ValueFormat values() {
    return text.values();
  }

  @Override
  public ValueFormat conversions() {
    return text.conversions();
  }

  @Override
  public Frame frame(int count) {
    return count == shown().size() ? new Frame("", " ", "\n") : text.frame(count);
  }

  @Override
  public EventRenderer cell(int index, int count, Item item, EventRenderer value) {
    List<Column> shown = shown();
    if (count != shown.size()) {
      return value;
    }
    Column column = shown.get(index);
    boolean isLast = index == count - 1;
    EventRenderer number =
        column.unit() != Column.Unit.NONE
                && item instanceof Item.Field field
                && field.type() instanceof IntType type
            ? (out, memory, start) ->
                appendNumber(out, type.read(memory, start + field.offset()), column.unit())
            : value;
    boolean isCut =
        columns.line().isPresent()
            && !(item instanceof Item.Field field && field.type() instanceof IntType);
    return (out, memory, start) -> {
      int from = out.length();
      number.render(out, memory, start);
      if (isCut) {
        cut(out, from, column);
      }
      pad(out, from, column, isLast);
    };
  }

  private List<Column> shown() {
    return columns.events().stream().filter(Column::isShown).toList();
  }

  /** Cuts text that is wider than its column, which then ends with dots. */
  private static void cut(TextBuffer out, int from, Column column) {
    int width = column.width().orElse(Integer.MAX_VALUE);
    if (column.alignment() == Column.Alignment.RIGHT || out.characters(from) <= width) {
      return;
    }
    String text = TextBytes.decode(out.cut(from));
    int end = text.offsetByCodePoints(0, Math.max(0, width - 1));
    out.append(TextBytes.encode(text.substring(0, end))).append("…");
  }

  /** Fills what was written from {@code from} on to the width of its column. */
  private static void pad(TextBuffer out, int from, Column column, boolean isLast) {
    int missing = column.width().orElse(0) - out.characters(from);
    if (column.alignment() == Column.Alignment.RIGHT) {
      out.insert(from, ' ', missing);
    } else if (!isLast) {
      Padding.spaces(out, missing);
    }
  }

  /** Writes a number that came in nanoseconds or bytes in another unit; the rest is truncated. */
  private static void appendNumber(TextBuffer out, long number, Column.Unit unit) {
    out.append(number / unit.divisor);
    if (unit.decimals > 0) {
      // The last digit is one of microseconds.
      long rest = Math.abs(number % unit.divisor) / Column.Unit.MICROSECONDS.divisor;
      out.append('.').fill('0', unit.decimals - TextBuffer.decimalDigits(rest)).append(rest);
    }
  }

  /** Writes the headings of columns. */
  static void appendHeadings(TextBuffer out, List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (i > 0) {
        out.append(' ');
      }
      int from = out.length();
      out.append(columns.get(i).heading());
      pad(out, from, columns.get(i), i == columns.size() - 1);
    }
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    List<Column> own = columns.maps().getOrDefault(map.name(), List.of());
    List<Row<Datum>> rows = RowOrder.bySize(map.table());
    boolean isTable =
        own.size() == map.schema().keys().size() + values(map)
            && rows.stream().noneMatch(row -> row.value().isDrawn());
    if (!isTable) {
      text.appendMap(out, map);
      return;
    }
    appendHeadings(out, own);
    out.append('\n');
    for (int i = rows.size() - 1; i >= 0; i--) {
      appendRow(out, own, rows.get(i));
      out.spill();
    }
  }

  /** Returns the number of columns of a map's values: statistics are a number and a total. */
  private static int values(NamedTable map) {
    return map.table().rows().stream().anyMatch(row -> row.value() instanceof Datum.Stats) ? 2 : 1;
  }

  private void appendRow(TextBuffer out, List<Column> own, Row<Datum> row) {
    List<Datum> cells = new ArrayList<>(row.key().parts());
    if (row.value() instanceof Datum.Stats stats) {
      cells.add(new Datum.Int(stats.statistics().count(), IntType.U64));
      cells.add(new Datum.Int(stats.statistics().total(), stats.statistics().valueType()));
    } else {
      cells.add(row.value());
    }
    for (int i = 0; i < cells.size(); i++) {
      if (i > 0) {
        out.append(' ');
      }
      int from = out.length();
      append(out, cells.get(i), own.get(i).unit());
      if (columns.line().isPresent() && !(cells.get(i) instanceof Datum.Int)) {
        cut(out, from, own.get(i));
      }
      pad(out, from, own.get(i), i == cells.size() - 1);
    }
    out.append('\n');
  }

  private void append(TextBuffer out, Datum value, Column.Unit unit) {
    if (unit != Column.Unit.NONE && value instanceof Datum.Int number) {
      appendNumber(out, number.value(), unit);
    } else {
      values().append(out, value);
    }
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    maps.stream().filter(map -> !map.table().isEmpty()).forEach(map -> appendMap(out, map));
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return text.withoutArguments(format);
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    text.complete(out, start, message);
  }
}
