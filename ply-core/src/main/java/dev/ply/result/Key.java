package dev.ply.result;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The key of a map entry.
 *
 * @param parts the components in the script's order; empty for a map without keys
 */
public record Key(List<Datum> parts) {
  /**
   * Copies the components.
   *
   * @param parts the components in the script's order; empty for a map without keys
   */
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
   * @throws IllegalArgumentException if it is no number
   */
  public long number(int index) {
    Datum part = parts.get(index);
    if (isNumber(part)) {
      return numberOf(part);
    }
    throw new IllegalArgumentException("key part " + index + " is no number: " + part);
  }

  /**
   * {@return component {@code index}, counted from 0, as a string}
   *
   * @param index of the component
   * @throws IllegalArgumentException if it is no string
   */
  public String text(int index) {
    if (parts.get(index) instanceof Datum.Text text) {
      return text.text();
    }
    if (parts.get(index) instanceof Datum.Decoded decoded) {
      return decoded.text();
    }
    if (parts.get(index) instanceof Datum.Bytes buffer) {
      return buffer.text();
    }
    if (parts.get(index) instanceof Datum.Quoted quoted) {
      return quoted.text().orElse("");
    }
    throw new IllegalArgumentException("key part " + index + " is no string: " + parts.get(index));
  }

  /**
   * Returns whether the components equal {@code values}: numbers, strings or data.
   *
   * @throws IllegalArgumentException if a value is of another kind
   */
  boolean matches(Object... values) {
    if (values.length != parts.size()) {
      return false;
    }
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

  private static long numberOf(Datum part) {
    return part instanceof Datum.Address address ? address.value() : ((Datum.Int) part).value();
  }

  private static boolean matches(Datum part, Object value) {
    if (value instanceof Number number) {
      return isNumber(part) && numberOf(part) == number.longValue();
    } else if (value instanceof String string) {
      if (part instanceof Datum.Bytes buffer) {
        return buffer.text().equals(string);
      }
      return part instanceof Datum.Decoded decoded
          ? decoded.text().equals(string)
          : part instanceof Datum.Text text && text.text().equals(string);
    } else if (value instanceof Datum) {
      return part.equals(value);
    }
    throw new IllegalArgumentException(
        "key parts are numbers, strings or data, not " + value.getClass().getName());
  }

  /** Returns the components in their default formats without padding, separated by commas. */
  @Override
  public String toString() {
    return parts.stream().map(Datum::toText).collect(Collectors.joining(", "));
  }
}
