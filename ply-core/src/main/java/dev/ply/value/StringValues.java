package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.StringBuiltins;

/** Comparisons and searches of strings. Meant for static import, beside {@link Values}. */
public final class StringValues {
  private StringValues() {}

  /**
   * {@return -1, 0 or 1 for the order of the first {@code length} bytes of strings or arrays}
   *
   * @param a a string or an array
   * @param b a string or an array
   * @param length in bytes, at most the size of both
   */
  public static Value memcmp(Value a, Value b, int length) {
    return Value.call(StringBuiltins.MEMCMP, a, b, Values.number(length));
  }

  /**
   * {@return 1 if a string contains another, else 0}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strcontains(Value string, Value searched) {
    return Value.call(StringBuiltins.STRCONTAINS, string, searched);
  }

  /**
   * {@return 1 if a string contains a constant, else 0}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strcontains(Value string, String searched) {
    return strcontains(string, Values.text(searched));
  }

  /**
   * {@return the number of bytes before the first occurrence of a string in another, or -1}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strstr(Value string, Value searched) {
    return Value.call(StringBuiltins.STRSTR, string, searched);
  }

  /**
   * {@return the number of bytes before the first occurrence of a constant, or -1}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strstr(Value string, String searched) {
    return strstr(string, Values.text(searched));
  }

  /**
   * {@return 1 if the whole string matches a pattern, else 0}
   *
   * @param string the string
   * @param pattern with ?, *, [a-z] and [!a-z], up to 63 characters besides the stars
   */
  public static Value strglob(Value string, String pattern) {
    return Value.call(StringBuiltins.STRGLOB, string, Values.text(pattern));
  }

  /**
   * {@return the number of bytes of a string before its NUL}
   *
   * @param string the string
   */
  public static Value strlen(Value string) {
    return Value.call(StringBuiltins.STRLEN, string);
  }

  /**
   * {@return the number of bytes that a string has room for, its NUL included}
   *
   * @param string the string
   */
  public static Value strcap(Value string) {
    return Value.call(StringBuiltins.STRCAP, string);
  }

  /**
   * {@return one string after the other, up to 1023 bytes}
   *
   * @param first the start
   * @param second the rest
   */
  public static Value strConcat(Value first, Value second) {
    return Value.call(StringBuiltins.STR_CONCAT, first, second);
  }

  /** {@return the number of bytes that {@link Values#str(Value)} has room for, its NUL included} */
  public static Value defaultStringLength() {
    return Value.call(StringBuiltins.DEFAULT_STR_LENGTH);
  }

  /**
   * {@return -1, 0 or 1 if the first string sorts before, equal to or after the second}
   *
   * @param first the one string
   * @param second the other
   */
  public static Value strcmp(Value first, Value second) {
    return Value.call(StringBuiltins.STRCMP, first, second);
  }

  /**
   * {@return -1, 0 or 1 if a string sorts before, equal to or after a constant}
   *
   * @param first the one string
   * @param second the other
   */
  public static Value strcmp(Value first, String second) {
    return strcmp(first, Values.text(second));
  }

  /**
   * {@return 0 if the first {@code length} bytes of two strings are equal, else 1}
   *
   * @param first the one string
   * @param second the other
   * @param length the number of bytes to compare at most
   */
  public static Value strncmp(Value first, Value second, int length) {
    return Value.call(StringBuiltins.STRNCMP, first, second, Values.number(length));
  }
}
