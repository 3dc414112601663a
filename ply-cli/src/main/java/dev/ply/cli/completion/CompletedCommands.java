package dev.ply.cli.completion;

import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.reference.LanguageReference;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What completion scripts of all shells are made of.
 *
 * @param manuals ply's own first
 */
record CompletedCommands(List<CommandManual> manuals) {
  private static final String TOOL = "tool ";

  CompletedCommands {
    manuals = List.copyOf(manuals);
  }

  /** Returns the word after ply; empty for ply itself. */
  static String word(CommandManual manual) {
    int space = manual.command().indexOf(' ');
    return space < 0 ? "" : manual.command().substring(space + 1);
  }

  /** Returns the names of tools, words after {@code ply tool}. */
  String tools() {
    return manuals.stream()
        .map(CompletedCommands::word)
        .filter(word -> word.startsWith(TOOL))
        .map(word -> word.substring(TOOL.length()))
        .collect(Collectors.joining(" "));
  }

  /** Returns the words after ply of all commands. */
  String words() {
    return manuals.stream()
        .map(CompletedCommands::word)
        .filter(word -> !word.isEmpty() && word.indexOf(' ') < 0)
        .collect(Collectors.joining(" "));
  }

  /** Returns what begins probes. */
  static String providers() {
    return LiveNames.providers().collect(Collectors.joining(" "));
  }

  /** Returns what ply -h explains: commands, and names of the language that are words. */
  String explained() {
    return Stream.concat(
            Stream.of(words()),
            LanguageReference.topics().stream()
                .flatMap(topic -> topic.names().stream())
                .filter(name -> name.matches("\\w+")))
        .distinct()
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns the spellings after which a value is a word of its own: not the letter of a duration
   * that is another option, too.
   */
  static List<String> valued(CommandManual manual, CommandOption option) {
    boolean isShared =
        option.takesDuration()
            && manual
                .allOptions()
                .anyMatch(other -> !other.equals(option) && other.letter().equals(option.letter()));
    return option.spellings().stream()
        .filter(unused -> option.takesWord())
        .filter(spelling -> !isShared || spelling.startsWith("--"))
        .toList();
  }

  /** Returns the names of a command's options, each once. */
  static String spellings(CommandManual manual) {
    return manual
        .allOptions()
        .flatMap(option -> option.spellings().stream())
        .distinct()
        .collect(Collectors.joining(" "));
  }

  /** Returns the kind of a value, as a word. */
  static String kind(Argument argument) {
    return argument.kind().name().toLowerCase(Locale.ROOT);
  }

  /** Returns a text in single quotes, for shells of the Bourne family. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
