package dev.ply.golden;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One of the cases of a file {@code *.cases}. There, {@code === NAME} begins a case, and {@code ---
 * SECTION} a section of it, whose text may also stand on the line of its header. What is before the
 * first case says what they are about.
 *
 * @param name what stands after {@code ===}, or else the case's first line
 * @param text what is before the first section, without blank lines at the end
 * @param sections the texts of the sections, without blank lines at the end
 */
public record Case(String name, String text, Map<String, String> sections) {
  private static final String BEGIN = "===";
  private static final String SECTION = "--- ";

  public Case {
    sections = Map.copyOf(sections);
  }

  /** Reads the cases of a resource of the tests. */
  public static List<Case> ofResource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Case.class.getResourceAsStream(name), name)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Reads the cases of a file. */
  static List<Case> parse(String file) {
    List<List<String>> bodies = new ArrayList<>();
    bodies.add(new ArrayList<>());
    for (String line : Splitter.on('\n').split(file)) {
      if (line.equals(BEGIN) || line.startsWith(BEGIN + " ")) {
        bodies.add(new ArrayList<>());
      }
      bodies.get(bodies.size() - 1).add(line);
    }
    return bodies.stream().skip(1).map(Case::of).toList();
  }

  private static Case of(List<String> lines) {
    StringBuilder text = new StringBuilder();
    Map<String, StringBuilder> sections = new LinkedHashMap<>();
    StringBuilder current = text;
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(SECTION)) {
        String[] words = line.substring(SECTION.length()).split(" ", 2);
        current = new StringBuilder();
        if (sections.put(words[0], current) != null) {
          throw new IllegalArgumentException(lines.get(0) + " has two sections " + words[0]);
        }
        if (words.length > 1) {
          current.append(words[1]).append('\n');
        }
      } else {
        current.append(line).append('\n');
      }
    }
    String body = text.toString().stripTrailing();
    String name = lines.get(0).substring(BEGIN.length()).strip();
    Map<String, String> texts = new LinkedHashMap<>();
    sections.forEach((section, content) -> texts.put(section, content.toString().stripTrailing()));
    return new Case(name.isEmpty() ? body.lines().findFirst().orElse("") : name, body, texts);
  }

  /** Returns the text of a section, if the case has it. */
  public Optional<String> section(String section) {
    return Optional.ofNullable(sections.get(section));
  }

  /** Returns the name, which says in a report which case it was. */
  @Override
  public String toString() {
    return name;
  }
}
