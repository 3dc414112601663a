package dev.ply.reference;

import java.util.ArrayList;
import java.util.List;

/** Formats topics for terminals of 80 columns. */
public final class TopicFormat {
  private static final int COLUMNS = 80;
  private static final String INDENT = "    ";
  private static final String ITEM = "- ";

  private TopicFormat() {}

  /** Returns a topic: its syntax, description, minimum kernel and example. */
  public static String format(Topic topic) {
    StringBuilder text = new StringBuilder();
    topic.forms().forEach(form -> text.append(form).append('\n'));
    if (topic.names().size() > 1) {
      paragraph(
          text, "also called " + String.join(", ", topic.names().subList(1, topic.names().size())));
    }
    if (!topic.gives().isEmpty()) {
      paragraph(text, topic.gives());
    }
    for (String paragraph : topic.summary().split("\n\n", -1)) {
      paragraph(text, paragraph);
    }
    paragraph(text, "Needs Linux " + topic.since().major() + "." + topic.since().minor() + ".");
    text.append('\n');
    topic.example().lines().forEach(line -> text.append(INDENT).append(line).append('\n'));
    return text.toString();
  }

  private static void paragraph(StringBuilder text, String paragraph) {
    text.append('\n');
    for (String item : paragraph.split("\n", -1)) {
      for (String line : lines(item, item.startsWith(ITEM) ? " ".repeat(ITEM.length()) : "")) {
        text.append(INDENT).append(line).append('\n');
      }
    }
  }

  /** Returns a paragraph or a list item in lines; all but the first begin with the indentation. */
  private static List<String> lines(String words, String hanging) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : words.split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > COLUMNS - INDENT.length()) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(hanging).append(word);
      } else {
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
    }
    lines.add(line.toString());
    return lines;
  }
}
