package dev.ply.cli;

import dev.ply.cli.io.Command;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Suggestions;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import dev.ply.reference.TopicFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The help of the command and of the language's topics. */
final class Help {
  /** Shorter names would be similar to most short words. */
  private static final int SHORTEST_SUGGESTION = 3;

  /** The width of the names of commands. */
  private static final int COLUMN = 20;

  private final String own;
  private final List<Command> commands;

  /**
   * Creates the help.
   *
   * @param own the text for the command's own options
   * @param commands the other command lines
   */
  Help(String own, List<Command> commands) {
    this.own = own;
    this.commands = commands;
  }

  /**
   * Returns the help for topics; without any, that of the command.
   *
   * @throws UsageException for an unknown topic
   */
  String of(List<String> words) throws UsageException {
    if (words.isEmpty()) {
      return own + "\n" + others() + "\n" + index();
    }
    List<String> texts = new ArrayList<>();
    for (String word : words) {
      Optional<String> command = command(word);
      texts.add(command.isPresent() ? command.get() : TopicFormat.format(topic(word)));
    }
    return String.join("\n", texts);
  }

  /** Returns the help of another command line, if the word is its name. */
  private Optional<String> command(String word) {
    return commands.stream()
        .filter(command -> command.name().equals(word))
        .map(Command::help)
        .findFirst();
  }

  private String others() {
    StringBuilder text = new StringBuilder("Other command lines, each with its own -h:\n");
    for (Command command : commands) {
      String name = "ply " + command.name();
      text.append("  ")
          .append(name)
          .append(" ".repeat(Math.max(1, COLUMN - name.length())))
          .append(command.summary())
          .append('\n');
    }
    return text.toString();
  }

  private Stream<String> commandNames() {
    return commands.stream()
        .map(Command::name)
        .filter(name -> name.length() >= SHORTEST_SUGGESTION);
  }

  private Topic topic(String word) throws UsageException {
    // Arguments and environment variables are one topic each.
    String name = word.matches("arg\\d+") ? "arg0" : word.startsWith("$") ? "$NAME" : word;
    Optional<Topic> topic = LanguageReference.topic(name);
    if (topic.isEmpty()) {
      String[] hints =
          Suggestions.hint(word, Stream.concat(commandNames(), names(LanguageReference.topics())));
      throw new UsageException(
          "no entry for \"" + word + "\": " + (hints.length > 0 ? hints[0] : "see ply -h"));
    }
    return topic.get();
  }

  private static Stream<String> names(List<Topic> topics) {
    return topics.stream().flatMap(topic -> topic.names().stream());
  }

  private static String index() {
    StringBuilder text = new StringBuilder("ply -h WORD... explains names of the language:\n");
    for (Topic.Kind kind : Topic.Kind.values()) {
      String words =
          names(LanguageReference.topics().stream().filter(topic -> topic.kind() == kind).toList())
              .collect(Collectors.joining(" "));
      text.append("  ")
          .append(kind.title().toLowerCase(Locale.ROOT))
          .append(": ")
          .append(words)
          .append('\n');
    }
    return text.toString();
  }
}
