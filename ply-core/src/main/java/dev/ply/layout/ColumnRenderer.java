package dev.ply.layout;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema;
import dev.ply.table.ValueFormat;
import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Leaves out what is not shown, and gives values the names of their columns. */
record ColumnRenderer(Columns columns, Renderer inner) implements Renderer {
  @Override
  public ValueFormat conversions() {
    return inner.conversions();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    if (!isRow(shape)) {
      return inner.prepare(shape, values);
    }
    int[] shown = shown();
    return inner.prepare(
        renamed(shape), (item, memory, start) -> values.value(shown[item], memory, start));
  }

  private boolean isRow(EventShape shape) {
    return shape.form() instanceof EventShape.Form.Print
        && shape.items().size() == columns.events().size()
        && shape.items().stream().allMatch(EventShape.Item.Field.class::isInstance);
  }

  private int[] shown() {
    List<Column> all = columns.events();
    return IntStream.range(0, all.size()).filter(i -> all.get(i).isShown()).toArray();
  }

  private EventShape renamed(EventShape shape) {
    List<EventShape.Item> items = new ArrayList<>();
    for (int i : shown()) {
      EventShape.Item.Field field = (EventShape.Item.Field) shape.items().get(i);
      items.add(
          new EventShape.Item.Field(columns.events().get(i).name(), field.type(), field.offset()));
    }
    return new EventShape(shape.form(), items);
  }

  @Override
  public boolean shows(Result result) {
    return inner.shows(renamed(result));
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return inner.render(out, renamed(result));
  }

  private Result renamed(Result result) {
    return result instanceof Result.Snapshot snapshot
        ? new Result.Snapshot(
            snapshot.maps().stream().map(this::renamed).toList(), snapshot.occasion())
        : result;
  }

  /** Returns a map whose keys have the names of its columns. */
  private NamedTable renamed(NamedTable map) {
    List<Column> own = columns.maps().getOrDefault(map.name(), List.of());
    TableSchema schema = map.schema();
    // Statistics have two columns of text.
    int values = own.size() - schema.keys().size();
    if (values != 1 && values != 2) {
      return map;
    }
    List<TableSchema.Column> keys = new ArrayList<>();
    for (int i = 0; i < schema.keys().size(); i++) {
      keys.add(
          new TableSchema.Column(
              own.get(i).name(), schema.keys().get(i).type(), schema.keys().get(i).unit()));
    }
    return new NamedTable(
        new TableSchema(
            schema.map(),
            keys,
            schema.value(),
            schema.aggregation(),
            schema.unit(),
            schema.period()),
        map.table());
  }
}
