package dev.ply.result;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a value is stored under in a map.
 *
 * @param parts the key's parts in the order the script writes them; empty for a map without keys
 */
public record Key(List<Datum> parts) {
  public Key {
    parts = List.copyOf(parts);
  }

  /** Returns the key of those parts. */
  public static Key of(Datum... parts) {
    return new Key(Arrays.asList(parts));
  }

  /**
   * Returns part {@code index}, counted from 0, as a number; one of an unsigned 64-bit type has the
   * same bits.
   *
   * @throws IllegalArgumentException if that part is no number
   */
  public long number(int index) {
    Datum part = parts.get(index);
    if (isNumber(part)) {
      return numberOf(part);
    }
    throw new IllegalArgumentException("key part " + index + " is no number: " + part);
  }

  /**
   * Returns part {@code index}, counted from 0, as text.
   *
   * @throws IllegalArgumentException if that part is no text
   */
  public String text(int index) {
    if (parts.get(index) instanceof Datum.Text text) {
      return text.text();
    }
    throw new IllegalArgumentException("key part " + index + " is no text: " + parts.get(index));
  }

  /**
   * Tells whether the parts are these: numbers, strings or data.
   *
   * @throws IllegalArgumentException if one is of another kind
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
      return part instanceof Datum.Text text && text.text().equals(string);
    } else if (value instanceof Datum) {
      return part.equals(value);
    }
    throw new IllegalArgumentException(
        "key parts are numbers, strings or data, not " + value.getClass().getName());
  }

  /** Returns the parts in their default formats without padding, separated by commas. */
  @Override
  public String toString() {
    return parts.stream().map(Datum::toText).collect(Collectors.joining(", "));
  }
}
