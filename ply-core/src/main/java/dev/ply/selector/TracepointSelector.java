package dev.ply.selector;

/** Which tracepoints a probe is on. */
public sealed interface TracepointSelector {
  /** {@return category and event as scripts write them: {@code sched:sched_switch}} */
  String text();

  /**
   * Parses category and event, separated by a colon or slash.
   *
   * @param text {@code sched:sched_switch}, or with patterns
   * @throws InvalidSelectorException if the string is not a tracepoint
   */
  static TracepointSelector parse(String text) {
    return SelectorParser.tracepoint(text);
  }

  /**
   * One tracepoint.
   *
   * @param category the directory of tracefs: {@code sched}
   * @param event in the category: {@code sched_switch}
   */
  record Event(String category, String event) implements TracepointSelector {
    @Override
    public String text() {
      return category + ":" + event;
    }
  }

  /**
   * All tracepoints that match both patterns.
   *
   * @param category matches whole categories
   * @param event matches whole event names
   */
  record Events(Glob category, Glob event) implements TracepointSelector {
    /**
     * {@return whether a tracepoint matches}
     *
     * @param tracepoint of the running kernel
     */
    public boolean matches(Event tracepoint) {
      return category.matches(tracepoint.category()) && event.matches(tracepoint.event());
    }

    @Override
    public String text() {
      return category + ":" + event;
    }
  }
}
