package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.BucketCounts;
import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.PaneState;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.cli.live.model.Status;
import dev.ply.cli.live.model.ViewState;
import dev.ply.table.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.AttributedString;

/**
 * Draws the whole screen. What is in no snapshot has no place here: the same input, the same lines.
 */
public final class Painter {
  /** A title, a heading and two rows. */
  private static final int LEAST_PANE = 4;

  /** Below that, details get the room of other panes. */
  private static final int LEAST_BESIDE_DETAILS = 12;

  private static final int BARS = 3;

  private final Look look;
  private final KeyText texts;

  /**
   * Creates a painter.
   *
   * @param format of keys and values in the command's layout
   */
  public Painter(Look look, ValueFormat format) {
    this.look = look;
    this.texts = new KeyText(format, look);
  }

  /**
   * What there is to show.
   *
   * @param maps of the trace, in script order
   * @param events the newest lines, escaped
   * @param eventCount how many lines there have been
   * @param hasEvents whether there is a pane for them
   */
  public record Content(
      List<MapHistory> maps,
      List<String> events,
      long eventCount,
      boolean hasEvents,
      Status status) {
    /** Keeps copies. */
    public Content {
      maps = List.copyOf(maps);
      events = List.copyOf(events);
    }
  }

  /** {@return the rows of a map as a pane shows them} */
  public RowOrder order(MapHistory map, PaneState pane, ViewState state) {
    return RowOrder.of(map, pane, state, texts);
  }

  /** {@return the lines of the screen, each as wide as that} */
  public List<AttributedString> paint(Content content, ViewState state, int rows, int columns) {
    Bars bars = new Bars(content.status(), state, look, columns);
    List<AttributedString> lines = new ArrayList<>();
    lines.add(bars.top());
    int body = rows - BARS;
    if (state.isHelp()) {
      lines.addAll(HelpPage.lines(look, columns));
    } else {
      addPanes(lines, content, state, body, columns);
    }
    while (lines.size() > Math.max(1, rows - BARS + 1)) {
      lines.remove(lines.size() - 1);
    }
    while (lines.size() < rows - BARS + 1) {
      lines.add(new Line(look).fit(columns));
    }
    lines.add(bars.costs());
    lines.add(bars.keys());
    return lines.subList(0, Math.min(rows, lines.size()));
  }

  /** Adds the pane with the focus, and as many others as there is room for, in their order. */
  private void addPanes(
      List<AttributedString> lines, Content content, ViewState state, int body, int columns) {
    int panes = content.maps().size() + (content.hasEvents() ? 1 : 0);
    if (panes == 0) {
      return;
    }
    int shown = Math.max(1, Math.min(panes, body / LEAST_PANE));
    int first = Math.max(0, Math.min(state.focus() - shown + 1, panes - shown));
    int[] heights = heights(content, state, body, first, shown);
    for (int i = 0; i < shown; i++) {
      int before = lines.size();
      addPane(lines, content, state, first + i, heights[i], columns);
      while (lines.size() < before + heights[i]) {
        lines.add(new Line(look).fit(columns));
      }
    }
  }

  /** Returns how many lines each pane gets: what it needs, the one with the focus all the rest. */
  private static int[] heights(Content content, ViewState state, int body, int first, int shown) {
    int[] heights = new int[shown];
    int left = body;
    for (int i = 0; i < shown; i++) {
      heights[i] = Math.min(LEAST_PANE, body / shown);
      left -= heights[i];
    }
    int share = body / shown;
    for (int i = 0; i < shown; i++) {
      boolean isSmall = share < LEAST_BESIDE_DETAILS && state.pane().isExpanded();
      boolean isBeside = isSmall && first + i != state.focus();
      int wanted = isBeside ? 0 : Math.min(needs(content, state, first + i), share);
      int more = Math.max(0, Math.min(left, wanted - heights[i]));
      heights[i] += more;
      left -= more;
    }
    int focus = state.focus() - first;
    for (int i = 0; i < shown && left > 0; i++) {
      int pane = (Math.max(0, focus) + i) % shown;
      boolean isLast = i == shown - 1;
      int more =
          isLast ? left : Math.min(left, needs(content, state, first + pane) - heights[pane]);
      heights[pane] += Math.max(0, more);
      left -= Math.max(0, more);
    }
    return heights;
  }

  private static int needs(Content content, ViewState state, int pane) {
    if (pane >= content.maps().size()) {
      return Integer.MAX_VALUE / 2;
    }
    MapHistory map = content.maps().get(pane);
    boolean isHeat =
        map.rows().stream().findFirst().flatMap(row -> BucketCounts.of(row.value())).isPresent();
    boolean isExpanded = state.panes().get(pane).isExpanded();
    return isHeat || isExpanded ? Integer.MAX_VALUE / 2 : map.rows().size() + 2;
  }

  private void addPane(
      List<AttributedString> lines,
      Content content,
      ViewState state,
      int pane,
      int height,
      int columns) {
    boolean isFocused = pane == state.focus();
    PaneState chosen = state.panes().get(pane);
    if (pane >= content.maps().size()) {
      EventPane events = new EventPane(content.eventCount(), state.filter(), look, columns);
      lines.add(events.title(isFocused, chosen.scroll()));
      lines.addAll(events.lines(content.events(), height - 1, chosen.scroll()));
      return;
    }
    MapHistory map = content.maps().get(pane);
    RowOrder rows = order(map, chosen, state);
    lines.add(TableView.title(map, rows, look, columns, isFocused));
    Optional<RowHistory> row = rows.row();
    boolean isHeat = row.flatMap(one -> BucketCounts.of(one.value())).isPresent();
    boolean hasKeys = !map.schema().keys().isEmpty();
    int table = tableHeight(rows, height - 1, isHeat, chosen.isExpanded(), hasKeys);
    lines.addAll(new TableView(rows, look, columns, isFocused).lines(table));
    int below = height - 1 - table;
    if (row.isPresent() && below > 0 && chosen.isExpanded()) {
      lines.addAll(new Details(map, row.get(), texts, look, columns).lines(below));
    } else if (row.isPresent() && below > 0 && isHeat) {
      lines.addAll(
          new HeatMap(row.get(), map.schema().unit(), state.mode(), look, columns).lines(below));
    }
  }

  /** Returns how much of a pane is its table, heading included; the rest shows one row in full. */
  private static int tableHeight(
      RowOrder rows, int height, boolean isHeat, boolean isExpanded, boolean hasKeys) {
    if (!isHeat && !isExpanded) {
      return height;
    }
    int wanted = hasKeys ? Math.max(2, height * 2 / 5) : 2;
    return Math.min(height, Math.min(wanted, rows.size() + 1));
  }
}
