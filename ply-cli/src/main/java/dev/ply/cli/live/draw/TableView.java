package dev.ply.cli.live.draw;

import dev.ply.cli.live.draw.TableColumn.Role;
import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.Minute;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.type.Escapes;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * A map as a table: its key, total and rate, and the last minute, as many rows as there is room.
 */
final class TableView {
  private static final int GAP = 2;
  private static final int LEAST_NUMBER = 7;
  private static final int LEAST_BARS = 10;
  private static final int LONG_HEADING = 13;

  /** Widths change in such steps: a new row does not move all columns. */
  private static final int STEP = 4;

  private final RowOrder rows;
  private final Look look;
  private final int columns;
  private final boolean isFocused;

  TableView(RowOrder rows, Look look, int columns, boolean isFocused) {
    this.rows = rows;
    this.look = look;
    this.columns = columns;
    this.isFocused = isFocused;
  }

  /** Returns the heading and rows. */
  List<AttributedString> lines(int height) {
    List<AttributedString> lines = new ArrayList<>();
    List<RowHistory> shown = rows.window(height - 1);
    List<List<String>> texts = new ArrayList<>();
    for (RowHistory row : shown) {
      texts.add(rows.columns().stream().map(column -> column.text().apply(row)).toList());
    }
    int[] widths = widths(texts);
    lines.add(heading(widths));
    if (shown.isEmpty() && height > 1) {
      String why = rows.isFiltered() ? "  no key matches: Esc clears the filter" : "  no keys yet";
      lines.add(new Line(look).add(why, look.faint()).fit(columns));
    }
    for (int i = 0; i < shown.size(); i++) {
      lines.add(row(shown.get(i), texts.get(i), widths));
    }
    return lines;
  }

  /** Returns the width of each column, and of the bars. */
  private int[] widths(List<List<String>> texts) {
    int count = rows.columns().size();
    int[] widths = new int[count + 1];
    int numbers = 0;
    int keys = 0;
    for (int i = 0; i < count; i++) {
      TableColumn column = rows.columns().get(i);
      int width = Line.columns(column.heading()) + 2;
      for (List<String> row : texts) {
        width = Math.max(width, Line.columns(row.get(i)));
      }
      if (column.role() == Role.KEY) {
        widths[i] = (width + STEP - 1) / STEP * STEP;
        keys += widths[i] + GAP;
      } else {
        widths[i] = Math.max(width, LEAST_NUMBER);
        numbers += widths[i] + GAP;
      }
    }
    int room = columns - numbers;
    int bars = Math.max(LEAST_BARS, Math.min(Minute.SECONDS, room - keys));
    if (keys + bars > room && numbers > columns / 2) {
      bars = 0;
    }
    for (int over = keys + bars - room; over > 0; over--) {
      widest(widths);
    }
    widths[count] = bars;
    return widths;
  }

  /** Takes a column from the widest part of the key. */
  private void widest(int... widths) {
    int widest = -1;
    for (int i = 0; i < rows.columns().size(); i++) {
      boolean isKey = rows.columns().get(i).role() == Role.KEY;
      if (isKey && widths[i] > LEAST_NUMBER && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest >= 0) {
      widths[widest]--;
    }
  }

  private AttributedString heading(int... widths) {
    Line line = new Line(look);
    for (int i = 0; i < rows.columns().size(); i++) {
      TableColumn column = rows.columns().get(i);
      boolean isSorted = i == rows.sort();
      String arrow =
          !isSorted ? "" : rows.isDescending() ? look.choose("v ", "▼") : look.choose("^ ", "▲");
      AttributedStyle style = look.heading(isSorted);
      if (column.role() == Role.KEY) {
        line.left(
            column.heading() + (arrow.isBlank() ? "" : " " + arrow.strip()), widths[i], style);
      } else {
        line.right(arrow + column.heading(), widths[i], style);
      }
      line.spaces(GAP, look.heading(false));
    }
    int bars = widths[rows.columns().size()];
    line.right(bars < LONG_HEADING ? "minute" : "last minute", bars, look.heading(false));
    return line.fit(columns, look.heading(false));
  }

  private AttributedString row(RowHistory row, List<String> texts, int... widths) {
    boolean isSelected = isFocused && rows.isSelected(row);
    Line line = new Line(look);
    for (int i = 0; i < texts.size(); i++) {
      Role role = rows.columns().get(i).role();
      AttributedStyle style = isSelected ? look.plain().inverse() : style(row, role);
      if (role != Role.KEY) {
        line.right(texts.get(i), widths[i], style);
      } else if (row.key().parts().get(i).isStack()) {
        line.left(texts.get(i), widths[i], style);
      } else {
        line.middle(texts.get(i), widths[i], style);
      }
      line.spaces(GAP, isSelected ? style : look.plain());
    }
    AttributedStyle bars = isSelected ? look.plain().inverse() : look.bars(row.isChanged());
    if (widths[texts.size()] > 0) {
      line.add(Sparkline.of(row.minute(), widths[texts.size()], look), bars);
    }
    return line.fit(columns, isSelected ? look.plain().inverse() : look.plain());
  }

  private AttributedStyle style(RowHistory row, Role role) {
    return switch (role) {
      case KEY -> row.isNew() ? look.fresh() : look.plain();
      case TOTAL -> row.isChanged() ? look.strong() : look.plain();
      case RATE -> row.rate() == 0 ? look.faint() : look.rate();
      case OTHER -> look.plain();
    };
  }

  /** Returns the line above a table: its name, and how much of it there is. */
  static AttributedString title(
      MapHistory map, RowOrder rows, Look look, int columns, boolean isFocused) {
    Line line = new Line(look);
    line.add(isFocused ? look.choose("> ", "▸ ") : "  ", look.name());
    line.add(Escapes.escape(map.schema().map()), isFocused ? look.name() : look.strong());
    String keys = Amounts.grouped(map.keys()) + (map.keys() == 1 ? " key" : " keys");
    line.add("  " + (map.schema().keys().isEmpty() ? "" : keys), look.faint());
    if (map.keys() > MapHistory.MOST_KEYS) {
      line.add(", the largest " + Amounts.grouped(MapHistory.MOST_KEYS), look.notice());
    }
    if (rows.isFiltered()) {
      line.add(", " + Amounts.grouped(rows.size()) + " that match", look.notice());
    }
    return line.fit(columns);
  }
}
