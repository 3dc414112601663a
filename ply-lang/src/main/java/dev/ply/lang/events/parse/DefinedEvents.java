package dev.ply.lang.events.parse;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventKind;
import dev.ply.lang.events.FetchArgument;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The events that definitions have defined so far. */
final class DefinedEvents {
  private final Map<String, EventDefinition> known = new HashMap<>();
  private final Problems problems;

  DefinedEvents(Problems problems) {
    this.problems = problems;
  }

  /**
   * Adds a definition. Those of the same event are its alternatives, with the same arguments.
   *
   * @param words of the definition
   */
  void add(EventDefinition definition, List<Word> words) throws Reported {
    String name = definition.group() + "/" + definition.event();
    EventDefinition other = known.putIfAbsent(name, definition);
    if (other == null) {
      return;
    }
    boolean isRecord = definition.kind() == EventKind.RECORD;
    if (isRecord || family(definition) != family(other)) {
      throw problems.error(
          ProbeError.EVENT_EXIST,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
    if (other.isReturn() != definition.isReturn() || other.kind() != definition.kind()) {
      throw problems.error(
          ProbeError.DIFF_PROBE_TYPE,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
    int common = Math.min(other.arguments().size(), definition.arguments().size());
    if (other.arguments().size() != definition.arguments().size()) {
      SourceSpan first =
          definition.arguments().size() > common
              ? words.get(common + 2).span()
              : words.get(words.size() - 1).after();
      throw different(first, name, other);
    }
    for (int i = 0; i < common; i++) {
      FetchArgument own = definition.arguments().get(i);
      FetchArgument first = other.arguments().get(i);
      if (!own.name().equals(first.name())
          || !own.type().equals(first.type())
          || !own.count().equals(first.count())) {
        throw different(words.get(i + 2).span(), name, other);
      }
    }
    boolean isSame =
        other.location().equals(definition.location())
            && other.arguments().stream()
                .map(FetchArgument::text)
                .toList()
                .equals(definition.arguments().stream().map(FetchArgument::text).toList());
    if (isSame) {
      throw problems.error(
          ProbeError.SAME_PROBE,
          words.get(0).span(),
          name + " is defined in line " + other.span().line());
    }
  }

  /** The kernel's own files register these apart. */
  private static EventKind family(EventDefinition definition) {
    return switch (definition.kind()) {
      case PROBE, RETURN -> EventKind.PROBE;
      case FUNCTION, TRACEPOINT -> EventKind.FUNCTION;
      case RECORD -> EventKind.RECORD;
    };
  }

  private Reported different(SourceSpan span, String name, EventDefinition other) {
    return problems.error(
        ProbeError.DIFF_ARG_TYPE,
        span,
        "all definitions of "
            + name
            + " have the arguments of the one in line "
            + other.span().line());
  }
}
