package dev.ply.ir;

/** Which tracepoints a probe is on. */
public sealed interface TracepointSelector {
  /** Returns category and event as scripts write them: {@code sched:sched_switch}. */
  String text();

  /**
   * Reads tracepoints as scripts write them, category and event separated by a colon or slash.
   *
   * @throws InvalidSelectorException if the text names none
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

  /** All tracepoints with such names. */
  record Events(Glob category, Glob event) implements TracepointSelector {
    /** Tells whether a tracepoint is one of these. */
    public boolean matches(Event tracepoint) {
      return category.matches(tracepoint.category()) && event.matches(tracepoint.event());
    }

    @Override
    public String text() {
      return category + ":" + event;
    }
  }
}
