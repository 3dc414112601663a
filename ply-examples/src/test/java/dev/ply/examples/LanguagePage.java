package dev.ply.examples;

import dev.ply.machine.KernelVersion;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * LANGUAGE.md: prose, then a reference with a section for each topic. What a section says comes
 * from the table; the fluent form of its example is written on the page, in the block of Java after
 * it.
 */
record LanguagePage(String text) {
  private static final String REFERENCE = "## Reference\n";
  private static final Pattern EXAMPLE =
      Pattern.compile("```ply\n(.*?)```\n(?:\n```java\n(.*?)```\n)?", Pattern.DOTALL);

  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  /** Surefire runs the tests in the module's directory. */
  static final Path FILE = Path.of("..", "docs", "LANGUAGE.md");

  /** A program on the page. */
  record Example(String name, String program, Optional<String> java) {}

  static LanguagePage read() throws IOException {
    return new LanguagePage(Files.readString(FILE));
  }

  /** Returns all programs on the page; those of the reference are called like their topic. */
  List<Example> examples() {
    List<Example> examples = new ArrayList<>();
    Matcher matcher = EXAMPLE.matcher(text);
    while (matcher.find()) {
      String program = matcher.group(1);
      String name =
          LanguageReference.topics().stream()
              .filter(topic -> topic.example().equals(program))
              .map(Topic::name)
              .findFirst()
              .orElse("program " + (examples.size() + 1));
      examples.add(new Example(name, program, Optional.ofNullable(matcher.group(2))));
    }
    return examples;
  }

  /** Returns the page as the table wants it, with the Java that it has. */
  LanguagePage withReference() {
    int reference = text.indexOf(REFERENCE);
    StringBuilder page = new StringBuilder(text.substring(0, reference)).append(REFERENCE);
    for (Topic.Kind kind : Topic.Kind.values()) {
      page.append("\n### ").append(kind.title()).append('\n');
      LanguageReference.topics().stream()
          .filter(topic -> topic.kind() == kind)
          .forEach(topic -> append(page, topic));
    }
    return new LanguagePage(page.toString());
  }

  private void append(StringBuilder page, Topic topic) {
    page.append("\n#### ").append(topic.name()).append("\n\n");
    page.append(code(topic.forms()));
    if (topic.names().size() > 1) {
      page.append(", also called ").append(code(topic.names().subList(1, topic.names().size())));
    }
    if (!topic.gives().isEmpty()) {
      page.append(": ").append(topic.gives());
    }
    page.append('.').append(since(topic)).append("  \n").append(topic.summary());
    page.append("\n\n```ply\n").append(topic.example()).append("```\n");
    examples().stream()
        .filter(example -> example.name().equals(topic.name()))
        .findFirst()
        .flatMap(Example::java)
        .ifPresent(java -> page.append("\n```java\n").append(java).append("```\n"));
  }

  /** Returns the minimum kernel, unless that is the minimum of ply. */
  private static String since(Topic topic) {
    KernelVersion since = topic.since();
    return since.compareTo(OLDEST) > 0
        ? " Since Linux " + since.major() + "." + since.minor() + "."
        : "";
  }

  private static String code(List<String> words) {
    return String.join(", ", words.stream().map(word -> "`" + word + "`").toList());
  }
}
