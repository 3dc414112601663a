package dev.ply.result;

import dev.ply.table.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The description of a probe event's hits, as kprobe_events defines them: their items are the name
 * of the thread, its ID, the CPU, the seconds and microseconds since boot, the values of the
 * places, and those of the fields. Immutable.
 *
 * @param event its group and name, {@code kprobes/open}
 * @param at where it is hit; of a return, where it returns to
 * @param function of a return, the function that returns
 * @param fields in the order of the definition
 */
public record TraceLine(String event, Place at, Optional<Place> function, List<Field> fields) {
  /** Copies the fields. */
  public TraceLine {
    fields = List.copyOf(fields);
  }

  /** A place in code. */
  public sealed interface Place {
    /**
     * A place with a fixed name, that has no item.
     *
     * @param text the name
     */
    record Named(String text) implements Place {}

    /** A kernel address, shown as symbol, offset and size. */
    record Symbol() implements Place {}

    /** An address of a process. */
    record Address() implements Place {}
  }

  /**
   * A field of the event.
   *
   * @param name as the definition has it
   * @param style how each value is shown
   * @param values how many there are; one unless it is an array
   * @param isArray whether it is shown as an array, of one value too
   */
  public record Field(String name, Style style, int values, boolean isArray) {}

  /** How a value is shown, as text and as JSON. */
  public enum Style {
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
    /** A string read from memory: quoted, or the mark of a fault. */
    QUOTED("%s", "%s"),
    /** A symbol. */
    SYMBOL("%pS", "\"%pS\""),
    /** A symbol in double quotes. */
    SYMBOL_STRING("\"%pS\"", "\"%pS\"");

    private final String text;
    private final String json;

    Style(String text, String json) {
      this.text = text;
      this.json = json;
    }

    /** {@return whether values are strings} */
    public boolean isText() {
      return this == STRING || this == QUOTED;
    }
  }

  /** {@return the format of {@code printf} that writes the columns of the kernel's trace} */
  public String textFormat() {
    // trace_print_context; programs do not see its flags.
    StringBuilder format = new StringBuilder("%16s-%-7d [%03d] ..... %5u.%06u: ");
    format.append(event.substring(event.indexOf('/') + 1)).append(": (").append(text(at));
    function.ifPresent(place -> format.append(" <- ").append(text(place)));
    format.append(')');
    for (Field field : fields) {
      format.append(' ').append(field.name()).append('=');
      append(format, field, field.style().text, "{", "}");
    }
    return format.append('\n').toString();
  }

  /**
   * A column of a table of hits.
   *
   * @param name of the column
   * @param format of {@code printf}, for its items; the text of a column that has none
   * @param items how many it shows
   */
  public record Column(String name, String format, int items) {}

  /** {@return the columns of a table of hits, which take all items in order} */
  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("task", "%s", 1));
    columns.add(new Column("tid", "%d", 1));
    columns.add(new Column("cpu", "%d", 1));
    columns.add(new Column("time", "%u.%06u", 2));
    columns.add(new Column("at", text(at), at instanceof Place.Named ? 0 : 1));
    function.ifPresent(
        place ->
            columns.add(new Column("function", text(place), place instanceof Place.Named ? 0 : 1)));
    for (Field field : fields) {
      String format = field.style().text.replace("\"", "").replace("'", "");
      for (int i = 0; i < field.values(); i++) {
        columns.add(
            new Column(field.isArray() ? field.name() + "[" + i + "]" : field.name(), format, 1));
      }
    }
    return columns;
  }

  private static String text(Place place) {
    if (place instanceof Place.Named named) {
      return named.text();
    }
    return place instanceof Place.Symbol ? "%pS" : "0x%x";
  }

  /** {@return the format of {@code printf} that writes an object of JSON} */
  public String jsonFormat() {
    StringBuilder format = new StringBuilder("{\"type\": \"event\", \"data\": {\"event\": \"");
    format.append(event).append("\", \"task\": \"%s\", \"tid\": %d, \"cpu\": %d, ");
    format.append("\"time\": %u.%06u, \"at\": \"").append(text(at)).append('"');
    function.ifPresent(
        place -> format.append(", \"function\": \"").append(text(place)).append('"'));
    format.append(", \"args\": {");
    String separator = "";
    for (Field field : fields) {
      format.append(separator).append('"').append(field.name()).append("\": ");
      append(format, field, field.style().json, "[", "]");
      separator = ", ";
    }
    return format.append("}}}\n").toString();
  }

  private static void append(
      StringBuilder format, Field field, String one, String open, String close) {
    if (!field.isArray()) {
      format.append(one);
      return;
    }
    format.append(open);
    for (int i = 0; i < field.values(); i++) {
      format.append(i == 0 ? "" : ",").append(one);
    }
    format.append(close);
  }
}
