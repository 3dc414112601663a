package dev.ply.lang.events;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The definition of an event.
 *
 * @param group in which the event is, by default that of its kind
 * @param event its name, by default derived from its location as the kernel does
 * @param isReturn whether it is at a function's return
 * @param maxActive how many concurrent calls a return event follows; empty for the kernel's default
 * @param condition of the record that the event is on
 * @param locationSpan the position of the location
 */
public record EventDefinition(
    EventKind kind,
    String group,
    String event,
    EventLocation location,
    boolean isReturn,
    OptionalInt maxActive,
    List<FetchArgument> arguments,
    Optional<EventFilter> condition,
    SourceSpan locationSpan,
    SourceSpan span) {
  public EventDefinition {
    arguments = List.copyOf(arguments);
  }
}
