package dev.ply.reference;

import dev.ply.machine.KernelVersion;
import java.util.List;

/**
 * An entry of the language reference.
 *
 * <p>{@code example} ends with a newline. The paragraphs of {@code summary} are joined to one line
 * each, with an empty line between them; lines that begin with {@code "- "} are the items of a
 * list.
 *
 * @param names its names, the usual one first
 * @param forms its syntax, the usual form first
 * @param gives the type and unit of its value, or when it fires; a phrase
 * @param summary its description; complete sentences
 * @param since the minimum kernel
 * @param example a complete script
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
    summary = summary.strip().replaceAll("(?<!\n)\n(?!\n|- )", " ");
  }

  /** The kind of a topic. */
  public enum Kind {
    /** A kind of probe. */
    PROBE("Probes"),
    /** A built-in value. */
    VALUE("Values"),
    /** A built-in function. */
    FUNCTION("Functions"),
    /** An aggregation of a map. */
    AGGREGATION("Aggregations"),
    /** A statement or other syntax. */
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
