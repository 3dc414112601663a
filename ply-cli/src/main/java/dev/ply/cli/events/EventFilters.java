package dev.ply.cli.events;

import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.lang.events.EventFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * The filters of {@code --filter}.
 *
 * @param all in the order given
 */
record EventFilters(List<EventFilter> all) {
  private static final String NAME = "<filter>";

  EventFilters {
    all = List.copyOf(all);
  }

  /**
   * Reads filters.
   *
   * @param texts {@code EVENT:EXPRESSION} each
   */
  static EventFilters parse(List<String> texts) throws UsageException {
    List<EventFilter> filters = new ArrayList<>();
    for (String text : texts) {
      EventFilter parsed = EventFilter.of(new Source(NAME, text));
      if (parsed.event().isEmpty()) {
        throw new UsageException(
            "--filter takes EVENT:EXPRESSION, not \"" + text + "\": myprobe:dfd > 3");
      }
      filters.add(parsed);
    }
    return new EventFilters(filters);
  }

  /** Returns whether a diagnostic is about a filter. */
  static boolean have(Diagnostic diagnostic) {
    return diagnostic.span().source().equals(NAME);
  }

  /** Returns the filter that a diagnostic is about. */
  Source source(Diagnostic diagnostic) {
    // All filters have one name: the first that has the position is shown.
    return all.stream()
        .map(EventFilter::source)
        .filter(one -> one.text().length() + 1 >= diagnostic.span().column())
        .findFirst()
        .orElse(Source.NONE);
  }
}
