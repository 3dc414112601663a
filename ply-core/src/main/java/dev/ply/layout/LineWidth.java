package dev.ply.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The widths of columns in lines of a terminal: what has room may be wider, and what has none is
 * cut, text alone. The last column has the rest of the line.
 */
final class LineWidth {
  /** What the last column should have before others get more than they need. */
  private static final int LAST = 24;

  private LineWidth() {}

  /** Returns columns for lines of so many characters; those that are not shown stay as they are. */
  static List<Column> fit(List<Column> columns, int characters) {
    List<Column> shown = columns.stream().filter(Column::isShown).toList();
    if (shown.isEmpty()) {
      return columns;
    }
    int last = shown.size() - 1;
    boolean isOpen = isOpen(shown.get(last));
    int[] widths = new int[shown.size()];
    int used = last;
    for (int i = 0; i <= last; i++) {
      widths[i] = least(shown.get(i));
      used += widths[i];
    }
    int spare = characters - used - (isOpen ? Math.max(0, LAST - widths[last]) : 0);
    for (int i = 0; i <= last && spare > 0; i++) {
      int more = Math.min(spare, shown.get(i).most().orElse(widths[i]) - widths[i]);
      widths[i] += Math.max(0, more);
      spare -= Math.max(0, more);
    }
    for (int over = used - characters; over > 0 && shrink(shown, widths); over--) {}
    List<Column> fitted = new ArrayList<>();
    int rest = characters - last;
    int next = 0;
    for (Column column : columns) {
      if (!column.isShown()) {
        fitted.add(column);
        continue;
      }
      int width = next == last && isOpen ? Math.max(widths[next], rest) : widths[next];
      fitted.add(column.withWidth(width));
      rest -= width;
      next++;
    }
    return fitted;
  }

  private static boolean isOpen(Column column) {
    return column.width().isEmpty() && column.alignment() == Column.Alignment.LEFT;
  }

  private static int least(Column column) {
    return Math.max(column.heading().length(), column.width().orElse(0));
  }

  /** Takes a character from the widest column of text, and returns whether one has some left. */
  private static boolean shrink(List<Column> columns, int[] widths) {
    OptionalInt widest = OptionalInt.empty();
    for (int i = 0; i < widths.length; i++) {
      boolean canShrink =
          columns.get(i).alignment() == Column.Alignment.LEFT
              && widths[i] > Math.max(columns.get(i).heading().length(), 8);
      if (canShrink && (widest.isEmpty() || widths[i] > widths[widest.getAsInt()])) {
        widest = OptionalInt.of(i);
      }
    }
    widest.ifPresent(i -> widths[i]--);
    return widest.isPresent();
  }
}
