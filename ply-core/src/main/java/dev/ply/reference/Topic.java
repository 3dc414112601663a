package dev.ply.reference;

import dev.ply.target.KernelVersion;
import java.util.List;

/**
 * One thing that scripts can name.
 *
 * <p>{@code example} ends with a line break; {@code summary} is one line, however it was given.
 *
 * @param names what it is called, the usual name first
 * @param forms how it is written, the usual form first
 * @param gives the type and unit of what it gives, or where it fires; a phrase
 * @param summary what it is; whole sentences
 * @param since the oldest kernel that has it
 * @param example a whole script that shows it
 */
public record Topic(
    Kind kind,
    List<String> names,
    List<String> forms,
    String gives,
    String summary,
    KernelVersion since,
    String example) {
  public Topic {
    names = List.copyOf(names);
    forms = List.copyOf(forms);
    summary = summary.strip().replace('\n', ' ');
  }

  /** What sort of thing a topic is about. */
  public enum Kind {
    /** A place in the system where something happens. */
    PROBE("Probes"),
    /** A value that is there when a probe fires. */
    VALUE("Values"),
    /** A function of other values. */
    FUNCTION("Functions"),
    /** What a map can collect without keeping each value. */
    AGGREGATION("Aggregations"),
    /** A sentence of the language. */
    STATEMENT("Statements");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Returns the heading of the topics of this kind. */
    public String title() {
      return title;
    }
  }

  /** Returns the usual name. */
  public String name() {
    return names.get(0);
  }
}
