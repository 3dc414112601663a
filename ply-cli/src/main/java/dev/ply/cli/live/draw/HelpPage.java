package dev.ply.cli.live.draw;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;

/** What each key does. */
final class HelpPage {
  private static final int NAME = 22;

  private static final String[][] KEYS = {
    {"q, Ctrl-C", "end the trace, and print its results"},
    {"Tab, Shift-Tab", "the next map or the events, the previous one"},
    {"Up, Down, PgUp, PgDn", "select a row; scroll events"},
    {"Home, End", "the first row, the last one; Esc selects none"},
    {"Enter", "expand the row: its stack, its key part by part"},
    {"<, > or Left, Right", "sort by the column before, after"},
    {"r", "reverse the order"},
    {"t", "rates first or totals first; percentiles of the"},
    {"", "last minute or of all"},
    {"/", "show only what a regular expression matches; Esc"},
    {"", "clears it"},
    {"space", "pause the view, not the trace; go on"},
    {"0", "let totals begin from now; the trace keeps its own"},
    {"s", "save maps and events to a file in this directory"},
    {"Ctrl-L", "draw the screen anew"},
    {"?", "this help; any key leaves it"},
  };

  private HelpPage() {}

  static List<AttributedString> lines(Look look, int columns) {
    List<AttributedString> lines = new ArrayList<>();
    lines.add(new Line(look).add("  Keys", look.strong()).fit(columns));
    for (String[] key : KEYS) {
      lines.add(
          new Line(look)
              .spaces(2, look.plain())
              .left(key[0], NAME, look.name())
              .add(key[1], look.plain())
              .fit(columns));
    }
    lines.add(
        new Line(look)
            .add(
                "  Bold totals have changed since the last reading, green keys are new.",
                look.faint())
            .fit(columns));
    return lines;
  }
}
