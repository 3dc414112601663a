package dev.ply.table;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The key of a map entry.
 *
 * @param parts the components in the script's order; empty for a map without keys
 */
public record Key(List<Datum> parts) {
  /** Copies the components. */
  public Key {
    parts = List.copyOf(parts);
  }

  /**
   * {@return the key with these components}
   *
   * @param parts in order; none for maps without keys
   */
  public static Key of(Datum... parts) {
    return new Key(Arrays.asList(parts));
  }

  /**
   * {@return component {@code index}, counted from 0, as a number; unsigned 64-bit values keep
   * their bits}
   *
   * @param index of the component
   * @throws IllegalArgumentException if it is not a number
   */
  public long number(int index) {
    Datum part = parts.get(index);
    if (isNumber(part)) {
      return numberOf(part);
    }
    throw new IllegalArgumentException("key part " + index + " is not a number: " + part);
  }

  /**
   * {@return component {@code index}, counted from 0, as a string}
   *
   * @param index of the component
   * @throws IllegalArgumentException if it is not a string
   */
  public String text(int index) {
    if (isString(parts.get(index))) {
      return textOf(parts.get(index)).orElse("");
    }
    throw new IllegalArgumentException(
        "key part " + index + " is not a string: " + parts.get(index));
  }

  /**
   * Checks that each value is of its component's kind.
   *
   * @throws IllegalArgumentException if the count or a kind differs, with both
   */
  void requireKinds(Object... values) {
    if (values.length != parts.size()) {
      throw new IllegalArgumentException(
          "the key has " + parts.size() + " parts, given " + values.length);
    }
    for (int i = 0; i < values.length; i++) {
      Datum part = parts.get(i);
      Object value = values[i];
      if (!(value instanceof Number || value instanceof String || value instanceof Datum)) {
        throw new IllegalArgumentException(
            "key parts are numbers, strings or data, not " + value.getClass().getName());
      }
      boolean isOfKind =
          value instanceof Number
              ? isNumber(part)
              : value instanceof String ? isString(part) : isLike(part, value);
      if (!isOfKind) {
        throw new IllegalArgumentException(
            "key part "
                + i
                + " is "
                + kind(part)
                + ", not "
                + (value instanceof Datum datum ? kind(datum) : value.getClass().getSimpleName())
                + ": "
                + value);
      }
    }
  }

  private static boolean isLike(Datum part, Object value) {
    boolean areStacks = part.isStack() && value instanceof Datum datum && datum.isStack();
    return areStacks || part.getClass() == value.getClass();
  }

  private static boolean isString(Datum part) {
    return part instanceof Datum.Text
        || part instanceof Datum.Decoded
        || part instanceof Datum.Bytes
        || part instanceof Datum.Quoted;
  }

  private static String kind(Datum part) {
    return isNumber(part)
        ? "a number"
        : isString(part) ? "a string" : "of kind " + part.getClass().getSimpleName();
  }

  /** Returns whether the components equal {@code values} of their kinds. */
  boolean matches(Object... values) {
    for (int i = 0; i < values.length; i++) {
      if (!matches(parts.get(i), values[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNumber(Datum part) {
    return part instanceof Datum.Int || part instanceof Datum.Address;
  }

  /** Returns the characters of a string; none of a null pointer. */
  private static Optional<String> textOf(Datum part) {
    if (part instanceof Datum.Text text) {
      return Optional.of(text.text());
    } else if (part instanceof Datum.Decoded decoded) {
      return Optional.of(decoded.text());
    } else if (part instanceof Datum.Bytes buffer) {
      return Optional.of(buffer.text());
    }
    return ((Datum.Quoted) part).text();
  }

  private static long numberOf(Datum part) {
    return part instanceof Datum.Address address ? address.value() : ((Datum.Int) part).value();
  }

  private static boolean matches(Datum part, Object value) {
    if (value instanceof Number number) {
      return numberOf(part) == number.longValue();
    }
    return value instanceof String ? textOf(part).equals(Optional.of(value)) : part.equals(value);
  }

  /** {@return the components in their default formats without padding, separated by commas} */
  @Override
  public String toString() {
    return parts.stream().map(Datum::toText).collect(Collectors.joining(", "));
  }
}
