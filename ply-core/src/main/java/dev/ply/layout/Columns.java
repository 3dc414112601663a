package dev.ply.layout;

import dev.ply.json.JsonFormat;
import dev.ply.render.PlyFormat;
import dev.ply.result.Renderer;
import dev.ply.table.DatumFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The columns of a script's results, which then are tables: a row for each {@code print} with as
 * many values as there are columns, and for each key of the maps that are named here. All other
 * results look as in ply's own layouts. Immutable.
 *
 * @param events the columns of {@code print}; none: events are no rows
 * @param maps the columns of maps by name, those of a key and one of the value, two of statistics:
 *     number and total
 */
public record Columns(List<Column> events, Map<String, List<Column>> maps, OptionalInt line) {
  /** Keeps copies. */
  public Columns {
    events = List.copyOf(events);
    maps = Map.copyOf(maps);
  }

  /**
   * Columns of rows that are as long as they are.
   *
   * @param events the columns of {@code print}
   * @param maps the columns of maps by name
   */
  public Columns(List<Column> events, Map<String, List<Column>> maps) {
    this(events, maps, OptionalInt.empty());
  }

  /**
   * {@return these columns for a terminal}
   *
   * @param characters of its lines
   */
  public Columns inLinesOf(int characters) {
    Map<String, List<Column>> fitted = new HashMap<>();
    maps.forEach((map, columns) -> fitted.put(map, LineWidth.fit(columns, characters)));
    return new Columns(LineWidth.fit(events, characters), fitted, OptionalInt.of(characters));
  }

  /**
   * {@return a layout with these columns}
   *
   * @param format of the results
   */
  public Layout layout(OutputFormat format) {
    return new InColumns(this, format.layout(this::text, Columns::json));
  }

  private record InColumns(Columns columns, Layout inner) implements Layout {
    @Override
    public Renderer on(Target target) {
      return new ColumnRenderer(columns, inner.on(target));
    }

    @Override
    public Optional<Layout> others() {
      return inner.others().map(text -> new InColumns(columns, text));
    }
  }

  private Renderer text(Target target) {
    return new ColumnFormat(new PlyFormat(new DatumFormat(target)), this);
  }

  private static Renderer json(Target target) {
    return new ObjectFormat((JsonFormat) Layout.PLY_JSON.on(target));
  }

  /** {@return the line of headings, without its end; empty if events have no columns} */
  public String heading() {
    TextBuffer out = new TextBuffer();
    ColumnFormat.appendHeadings(out, events.stream().filter(Column::isShown).toList());
    return out.toString();
  }
}
