package dev.ply.cli.live.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;

/** The newest lines that the script has printed, the last one at the bottom. */
final class EventPane {
  private final long count;
  private final Optional<Pattern> filter;
  private final Look look;
  private final int columns;

  EventPane(long count, Optional<Pattern> filter, Look look, int columns) {
    this.count = count;
    this.filter = filter;
    this.look = look;
    this.columns = columns;
  }

  AttributedString title(boolean isFocused, int scroll) {
    Line line = new Line(look);
    line.add(isFocused ? look.choose("> ", "▸ ") : "  ", look.name());
    line.add("events", isFocused ? look.name() : look.strong());
    line.add(
        "  " + Amounts.grouped((double) count) + (count == 1 ? " line so far" : " lines so far"),
        look.faint());
    if (scroll > 0) {
      line.add(", " + scroll + " lines further down: End", look.notice());
    }
    if (filter.isPresent()) {
      line.add(", those that match", look.notice());
    }
    return line.fit(columns);
  }

  List<AttributedString> lines(List<String> events, int height, int scroll) {
    List<String> texts = new ArrayList<>(events);
    filter.ifPresent(pattern -> texts.removeIf(text -> !pattern.matcher(text).find()));
    int end = Math.max(Math.min(height, texts.size()), texts.size() - scroll);
    List<AttributedString> lines = new ArrayList<>();
    for (String text : texts.subList(Math.max(0, end - height), end)) {
      lines.add(new Line(look).left("  " + text, columns, look.plain()).fit(columns));
    }
    return lines;
  }
}
