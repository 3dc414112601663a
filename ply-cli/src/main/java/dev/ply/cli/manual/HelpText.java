package dev.ply.cli.manual;

import java.util.ArrayList;
import java.util.List;

/** Writes the text of {@code -h} for terminals of 80 columns. */
public final class HelpText {
  private static final int COLUMNS = 80;
  private static final int INDENT = 2;

  private HelpText() {}

  /** {@return the help of a command: its forms, description, options and syntax} */
  public static String of(CommandManual manual) {
    StringBuilder text = new StringBuilder(forms(manual));
    for (String paragraph : manual.description().split("\n\n", -1)) {
      wrapped(paragraph, COLUMNS).forEach(line -> text.append(line).append('\n'));
    }
    int width = manual.allOptions().mapToInt(option -> label(option).length()).max().orElse(0);
    for (OptionGroup group : manual.options()) {
      text.append('\n').append(group.title()).append(":\n");
      group.options().forEach(option -> append(text, option, width));
    }
    for (Section section : manual.sections()) {
      if (section instanceof Section.Lines lines) {
        text.append('\n').append(lines.title()).append(":\n");
        lines.text().lines().forEach(line -> text.append("  ").append(line).append('\n'));
      }
    }
    return text.toString();
  }

  private static String forms(CommandManual manual) {
    List<String> forms = manual.forms();
    if (forms.size() == 1) {
      return "usage: " + manual.command() + " " + forms.get(0) + "\n";
    }
    StringBuilder text = new StringBuilder("USAGE:\n");
    for (String form : forms) {
      text.append("    ").append(manual.command()).append(' ').append(form).append('\n');
    }
    return text.toString();
  }

  /** {@return the names of an option and its value: {@code -c,--command <CMD>}} */
  static String label(CommandOption option) {
    StringBuilder label = new StringBuilder();
    label.append(option.letter().isEmpty() ? "  " : "-" + option.letter());
    if (!option.name().isEmpty()) {
      label.append(option.letter().isEmpty() ? " " : ",").append("--").append(option.name());
    }
    option
        .argument()
        .ifPresent(
            argument ->
                label
                    .append(argument.isOptional() ? "[=<" : " <")
                    .append(argument.name())
                    .append(argument.isOptional() ? ">]" : ">"));
    return label.toString();
  }

  /** {@return what an option does, with its other names} */
  static String sentence(CommandOption option) {
    return option.otherNames().isEmpty()
        ? option.sentence()
        : option.sentence() + "; also --" + String.join(", --", option.otherNames());
  }

  private static void append(StringBuilder text, CommandOption option, int width) {
    String margin = " ".repeat(INDENT + width + INDENT);
    String label = label(option);
    String start = " ".repeat(INDENT) + label + " ".repeat(width - label.length() + INDENT);
    for (String line : wrapped(sentence(option), COLUMNS - margin.length())) {
      text.append(start).append(line).append('\n');
      start = margin;
    }
  }

  /** {@return the words of a text in lines of at most this length} */
  static List<String> wrapped(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split("[ \n]+", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
