package dev.ply.selector;

import java.util.Optional;

/** Which raw tracepoints a probe is on. */
public sealed interface RawTracepointSelector {
  /** The module name that stands for the kernel itself. */
  String KERNEL = "vmlinux";

  /** {@return the selector as scripts write it: {@code sched_switch}, {@code kvm:kvm_exit}} */
  String text();

  /**
   * Parses an event, with the module that has it before a colon or without.
   *
   * @param text both can be patterns
   * @throws InvalidSelectorException if the syntax is invalid
   */
  static RawTracepointSelector parse(String text) {
    int colon = SelectorParser.separator(text, ":");
    Optional<String> module = colon < 0 ? Optional.empty() : Optional.of(text.substring(0, colon));
    String event = text.substring(colon + 1);
    boolean isPattern = Glob.isGlob(text);
    boolean isName =
        isPattern
            ? SelectorParser.separator(event, ":/{},;\"") < 0 && !event.isEmpty()
            : Event.isName(event)
                && module.stream().allMatch(own -> Event.isName(own.replace('-', '_')));
    if (!isName) {
      throw new InvalidSelectorException(
          "\"" + text + "\" is not the name of a raw tracepoint",
          "name the event without its category, as in rawtracepoint:sched_switch, or with its"
              + " module: rawtracepoint:kvm:kvm_exit");
    }
    return isPattern
        ? new Events(module.map(Glob::new), new Glob(event))
        : new Event(module, event);
  }

  /**
   * One raw tracepoint.
   *
   * @param module the module that has it, {@code vmlinux} for the kernel itself; without one, any
   * @param event its bare name
   */
  record Event(Optional<String> module, String event) implements RawTracepointSelector {
    /**
     * Checks the name.
     *
     * @throws InvalidSelectorException if it is not a bare event name
     */
    public Event {
      if (!isName(event)) {
        throw new InvalidSelectorException(
            "\"" + event + "\" is not the name of a raw tracepoint",
            "name the event without its category, as in rawtracepoint:sched_switch");
      }
    }

    private static boolean isName(String text) {
      return text.matches("[A-Za-z0-9_]+");
    }

    @Override
    public String text() {
      return module.map(own -> own + ":").orElse("") + event;
    }
  }

  /**
   * All raw tracepoints that match.
   *
   * @param module if present, matches those of these modules only
   * @param event matches their bare names
   */
  record Events(Optional<Glob> module, Glob event) implements RawTracepointSelector {
    @Override
    public String text() {
      return module.map(own -> own + ":").orElse("") + event;
    }
  }
}
