package dev.ply.ir;

/** Which tracepoints a probe is on. */
public sealed interface TracepointSelector {
  /** Returns category and event as scripts write them: {@code sched:sched_switch}. */
  String text();

  /**
   * Parses category and event, separated by a colon or slash.
   *
   * @throws InvalidSelectorException if the string is no tracepoint
   */
  static TracepointSelector parse(String text) {
    return SelectorParser.tracepoint(text);
  }

  /** One tracepoint. */
  record Event(String category, String event) implements TracepointSelector {
    @Override
    public String text() {
      return category + ":" + event;
    }
  }

  /** All tracepoints that match both patterns. */
  record Events(Glob category, Glob event) implements TracepointSelector {
    /** Returns whether a tracepoint matches. */
    public boolean matches(Event tracepoint) {
      return category.matches(tracepoint.category()) && event.matches(tracepoint.event());
    }

    @Override
    public String text() {
      return category + ":" + event;
    }
  }
}
