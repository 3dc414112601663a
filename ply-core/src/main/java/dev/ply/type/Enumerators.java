package dev.ply.type;

import java.util.Map;
import java.util.Optional;

/**
 * The names of the values of an enumeration; of several with one value, the first.
 *
 * @param tag the enumeration's own name; can be empty
 * @param names by value
 */
public record Enumerators(String tag, Map<Long, String> names) {
  /** No names, for plain numbers. */
  public static final Enumerators NONE = new Enumerators("", Map.of());

  /** Copies the names. */
  public Enumerators {
    names = Map.copyOf(names);
  }

  /**
   * {@return the name of a value}
   *
   * @param value any number
   */
  public Optional<String> name(long value) {
    // A key is an object: plain numbers, which events have most, must make none.
    return names.isEmpty() ? Optional.empty() : Optional.ofNullable(names.get(value));
  }
}
