package dev.ply.binding;

import dev.ply.type.Numbered;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The constants of an enum by their numbers.
 *
 * @param <E> the enum
 */
public final class EnumNumbers<E> {
  private static final String UNKNOWN = "UNKNOWN";

  private final Map<Long, E> constants = new HashMap<>();
  private Optional<E> unknown = Optional.empty();

  private EnumNumbers(Class<E> type) {
    long ordinal = 0;
    for (E constant : type.getEnumConstants()) {
      Enum<?> named = (Enum<?>) constant;
      if (named.name().equals(UNKNOWN)) {
        unknown = Optional.of(constant);
      } else {
        long number = constant instanceof Numbered numbered ? numbered.number() : ordinal;
        constants.putIfAbsent(number, constant);
      }
      ordinal++;
    }
  }

  static <E> EnumNumbers<E> of(Class<E> type) {
    return new EnumNumbers<>(type);
  }

  /** Returns whether every number has a constant: there is one for those that no other has. */
  public boolean isTotal() {
    return unknown.isPresent();
  }

  /**
   * Returns the constant with a number.
   *
   * @throws IllegalStateException if there is none, and no constant {@code UNKNOWN}
   */
  public E constant(long number) {
    E constant = constants.get(number);
    return constant == null
        ? unknown.orElseThrow(() -> new IllegalStateException("no constant for " + number))
        : constant;
  }
}
