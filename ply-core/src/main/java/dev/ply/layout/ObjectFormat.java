package dev.ply.layout;

import dev.ply.json.JsonFormat;
import dev.ply.render.TextRenderer;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape.Item;
import dev.ply.result.Message;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.RowOrder;
import dev.ply.table.ValueFormat;
import dev.ply.text.JsonString;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import java.util.List;

/** Lines of JSON whose rows are objects with the names of their columns. */
record ObjectFormat(JsonFormat json) implements TextRenderer {
  @Override
  public ValueFormat values() {
    return json.values();
  }

  @Override
  public ValueFormat conversions() {
    return json.conversions();
  }

  @Override
  public Frame frame(int count) {
    return new Frame("{", ", ", "}\n");
  }

  @Override
  public EventRenderer cell(int index, int count, Item item, EventRenderer value) {
    TextBuffer name = new TextBuffer();
    JsonString.append(name, item.name());
    return (out, memory, start) -> {
      out.append(name).append(": ");
      value.render(out, memory, start);
    };
  }

  /** Writes a map of numbers or strings as an object for each key, others as JSON's layout does. */
  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    List<Row<Datum>> rows = RowOrder.bySize(map.table());
    if (map.schema().keys().isEmpty() || rows.stream().anyMatch(row -> row.value().isDrawn())) {
      json.appendMap(out, map);
      return;
    }
    for (int i = rows.size() - 1; i >= 0; i--) {
      appendRow(out, map, rows.get(i));
      out.spill();
    }
  }

  private void appendRow(TextBuffer out, NamedTable map, Row<Datum> row) {
    out.append("{\"map\": ");
    JsonString.append(out, map.name());
    for (int i = 0; i < map.schema().keys().size(); i++) {
      out.append(", ");
      JsonString.append(out, map.schema().keys().get(i).name());
      out.append(": ");
      values().append(out, row.key().parts().get(i));
    }
    out.append(", \"value\": ");
    values().append(out, row.value());
    out.append("}\n");
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    maps.stream().filter(map -> !map.table().isEmpty()).forEach(map -> appendMap(out, map));
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return result instanceof Result.Snapshot
        ? TextRenderer.super.render(out, result)
        : json.render(out, result);
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return json.withoutArguments(format);
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    json.complete(out, start, message);
  }
}
