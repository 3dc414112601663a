package dev.ply.lang.events;

import dev.ply.diagnostic.SourceSpan;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An argument of an event.
 *
 * @param name in the output; empty where the function's parameter or the position names it
 * @param type as defined; empty for the default of the value
 * @param count the number of elements of an array
 * @param text the argument after its name, as defined
 * @param span the position of {@code text}
 */
public record FetchArgument(
    Optional<String> name,
    Fetch value,
    Optional<FetchType> type,
    OptionalInt count,
    String text,
    SourceSpan span) {
  /** Returns this argument with the default type of its value. */
  public FetchArgument withoutType() {
    return new FetchArgument(name, value, Optional.empty(), OptionalInt.empty(), text, span);
  }
}
