package dev.ply.golden;

import com.google.common.base.Splitter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The text of a golden file: comment lines starting with {@code #}, then sections, each headed by
 * {@code --- name}.
 *
 * <p>A section's text is the lines below its heading, each with its newline. What lines cannot say
 * is escaped: a line that starts with a backslash or with {@code ---} and a space has a backslash
 * put before it, and the line {@code \ no newline} after a text says that it ends without one.
 *
 * @param comment the lines before the first section, with their newlines
 * @param sections the texts by name, in the file's order
 */
public record GoldenFile(String comment, Map<String, String> sections) {
  private static final String HEADING = "--- ";
  private static final String NO_NEWLINE = "\\ no newline";

  /** Newlines only: a carriage return is part of a text. */
  private static final Splitter LINES = Splitter.on('\n');

  public GoldenFile {
    sections = Collections.unmodifiableMap(new LinkedHashMap<>(sections));
  }

  /**
   * Reads a file's text.
   *
   * @throws IllegalArgumentException if a line before the first section is no comment, or if two
   *     sections have one name
   */
  public static GoldenFile parse(String text) {
    StringBuilder comment = new StringBuilder();
    Map<String, StringBuilder> texts = new LinkedHashMap<>();
    StringBuilder current = comment;
    String terminated = text.endsWith("\n") || text.isEmpty() ? text : text + "\n";
    List<String> lines = LINES.splitToList(terminated);
    for (String line : lines.subList(0, lines.size() - 1)) {
      if (line.startsWith(HEADING)) {
        String name = line.substring(HEADING.length()).strip();
        current = new StringBuilder();
        if (texts.put(name, current) != null) {
          throw new IllegalArgumentException("two sections named \"" + name + "\"");
        }
      } else if (current == comment && !line.startsWith("#") && !line.isBlank()) {
        throw new IllegalArgumentException(
            "expected a comment or \"--- name\" before the first section, found: " + line);
      } else if (current != comment && line.equals(NO_NEWLINE)) {
        current.setLength(Math.max(0, current.length() - 1));
      } else {
        current.append(unescape(line)).append('\n');
      }
    }
    Map<String, String> sections = new LinkedHashMap<>();
    texts.forEach((name, section) -> sections.put(name, section.toString()));
    return new GoldenFile(comment.toString(), sections);
  }

  /** Returns a section's text, empty if the file has no such section. */
  public Optional<String> section(String name) {
    return Optional.ofNullable(sections.get(name));
  }

  /**
   * Returns a section's text.
   *
   * @throws IllegalArgumentException if the file has no such section
   */
  public String text(String name) {
    return section(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no section \"" + name + "\", only " + sections.keySet()));
  }

  /** Returns this file with the text of one section replaced, or added at the end. */
  public GoldenFile with(String name, String text) {
    Map<String, String> changed = new LinkedHashMap<>(sections);
    changed.put(name, text);
    return new GoldenFile(comment, changed);
  }

  /** Returns the file's text; {@link #parse} reads it back. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(comment);
    sections.forEach(
        (name, text) -> {
          out.append(HEADING).append(name).append('\n');
          List<String> lines = LINES.splitToList(text);
          for (String line : lines.subList(0, lines.size() - 1)) {
            out.append(escape(line)).append('\n');
          }
          String rest = lines.get(lines.size() - 1);
          if (!rest.isEmpty()) {
            out.append(escape(rest)).append('\n').append(NO_NEWLINE).append('\n');
          }
        });
    return out.toString();
  }

  private static String escape(String line) {
    return line.startsWith("\\") || line.startsWith(HEADING) ? "\\" + line : line;
  }

  private static String unescape(String line) {
    return line.startsWith("\\") ? line.substring(1) : line;
  }
}
