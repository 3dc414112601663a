package dev.ply.lang.events;

import dev.ply.ir.Expr;
import java.util.List;

/**
 * A field of an event's output.
 *
 * @param name in the output
 * @param format how each element is printed
 * @param values the elements, one if it is no array
 * @param compared the value in filters, where it is a string
 */
record EventField(
    String name, Format format, List<Expr> values, boolean isArray, FilterValue compared) {
  EventField {
    values = List.copyOf(values);
  }

  /** How a value is printed: as text, and as JSON. */
  enum Format {
    /** Signed decimal. */
    SIGNED("%d", "%d"),
    /** Unsigned decimal. */
    UNSIGNED("%u", "%u"),
    /** Hexadecimal. */
    HEX("0x%x", "%u"),
    /** A character in single quotes. */
    CHARACTER("'%c'", "\"%c\""),
    /** A string in double quotes. */
    STRING("\"%s\"", "\"%s\""),
    /** A string that was read from memory, with its quotes. */
    QUOTED("%s", "%s"),
    /** A symbol. */
    SYMBOL("%pS", "\"%pS\""),
    /** A symbol in double quotes. */
    SYMBOL_STRING("\"%pS\"", "\"%pS\"");

    private final String text;
    private final String json;

    Format(String text, String json) {
      this.text = text;
      this.json = json;
    }

    String conversion(boolean isJson) {
      return isJson ? json : text;
    }

    boolean isText() {
      return this == STRING || this == QUOTED;
    }
  }

  /**
   * The value of a field in filters.
   *
   * @param value a number or a string
   */
  record FilterValue(Expr value, boolean isText) {}
}
