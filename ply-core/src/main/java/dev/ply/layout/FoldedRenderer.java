package dev.ply.layout;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.FlameGraph;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.ValueFormat;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.OptionalLong;

/**
 * Folded stacks: a line for each row of a map whose key has a stack, functions outermost first,
 * then the count. Other parts of a key are the outermost frames.
 */
final class FoldedRenderer implements Renderer {
  private final Target target;

  FoldedRenderer(Target target) {
    this.target = target;
  }

  @Override
  public ValueFormat conversions() {
    return new DatumFormat(target).raw();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    return EventRenderer.NONE;
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    if (!(result instanceof Result.Snapshot snapshot)) {
      return false;
    }
    List<NamedTable> folded =
        snapshot.maps().stream().filter(map -> map.schema().hasStacks()).toList();
    folded.forEach(map -> append(out, map.table(), target.symbols()));
    return !folded.isEmpty();
  }

  private static void append(TextBuffer out, Table<Datum> table, KernelSymbols symbols) {
    for (Row<Datum> row : table) {
      OptionalLong weight = row.value().weight();
      if (weight.isPresent()) {
        out.append(FlameGraph.folded(FlameGraph.path(row.key(), symbols)));
        out.append(' ').append(weight.getAsLong()).append('\n').spill();
      }
    }
  }
}
