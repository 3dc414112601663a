package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.Minute;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.table.Datum;
import dev.ply.table.TableSchema.Column;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Escapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/** The selected row in full: each part of its key, its share, its stack frame by frame. */
final class Details {
  private static final int NAME = 16;

  private final MapHistory map;
  private final RowHistory row;
  private final KeyText texts;
  private final Look look;
  private final int columns;

  Details(MapHistory map, RowHistory row, KeyText texts, Look look, int columns) {
    this.map = map;
    this.row = row;
    this.texts = texts;
    this.look = look;
    this.columns = columns;
  }

  List<AttributedString> lines(int height) {
    List<AttributedString> lines = new ArrayList<>();
    for (TableColumn column : TableColumn.of(map, Mode.TOTALS, texts)) {
      boolean isLong = column.role() == TableColumn.Role.KEY;
      if (!isLong) {
        lines.add(pair(column.heading(), column.text().apply(row)));
      }
    }
    Unit unit = map.schema().unit() == Unit.CALLS ? Unit.NONE : map.schema().unit();
    double sum = map.rows().stream().mapToDouble(RowHistory::total).sum();
    if (map.isAdded() && sum > 0 && map.keys() > 1) {
      lines.add(pair("share", percent(row.total() / sum) + " of all keys"));
    }
    lines.add(pair("last minute", extremes(unit)));
    List<AttributedString> key = new ArrayList<>();
    for (int i = 0; i < row.key().parts().size(); i++) {
      key.addAll(part(map.schema().keys().get(i), row.key().parts().get(i)));
    }
    key.addAll(lines);
    return key.subList(0, Math.min(Math.max(0, height), key.size()));
  }

  private List<AttributedString> part(Column column, Datum part) {
    String name = Escapes.escape(column.name());
    if (!part.isStack()) {
      return List.of(pair(name, texts.of(part, map.symbols())));
    }
    List<AttributedString> lines = new ArrayList<>();
    for (String frame : KeyText.frames(part, map.symbols())) {
      lines.add(pair(lines.isEmpty() ? name : "", frame));
    }
    return lines;
  }

  private AttributedString pair(String name, String value) {
    return new Line(look)
        .right(name, NAME, look.faint())
        .spaces(2, look.plain())
        .add(value, look.plain())
        .fit(columns);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private String extremes(Unit unit) {
    double least = Double.MAX_VALUE;
    double most = 0;
    double sum = 0;
    int known = 0;
    for (int i = 0; i < Minute.SECONDS; i++) {
      float value = row.minute().at(i);
      if (!Float.isNaN(value)) {
        least = Math.min(least, value);
        most = Math.max(most, value);
        sum += value;
        known++;
      }
    }
    if (known == 0) {
      return "nothing yet";
    }
    String of = map.isAdded() ? " a second" : "";
    return "min "
        + Amounts.brief(least, unit)
        + ", average "
        + Amounts.brief(sum / known, unit)
        + ", max "
        + Amounts.brief(most, unit)
        + of;
  }
}
