package dev.ply.cli;

import dev.ply.diagnostic.Suggestions;
import dev.ply.lang.events.EventSpace;
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
  private static final String COMMANDS =
      """
      Other command lines, each with its own -h:
        ply bt              bpftrace's options and output
        ply argdist         those of BCC's argdist
        ply kprobe-events   definitions as the kernel's kprobe_events takes them
        ply uprobe-events   definitions as the kernel's uprobe_events takes them
      """;

  private static final List<String> COMMAND_NAMES =
      List.of(Argdist.NAME, Events.KPROBE_EVENTS, Events.UPROBE_EVENTS);

  private Help() {}

  /**
   * Returns the help for topics; without any, that of the command.
   *
   * @throws UsageException for an unknown topic
   */
  static String of(List<String> words) throws UsageException {
    if (words.isEmpty()) {
      return Options.usage() + "\n" + COMMANDS + "\n" + index();
    }
    List<String> texts = new ArrayList<>();
    for (String word : words) {
      Optional<String> command = command(word);
      texts.add(command.isPresent() ? command.get() : TopicFormat.format(topic(word)));
    }
    return String.join("\n", texts);
  }

  /** Returns the help of another command line, if the word is its name. */
  private static Optional<String> command(String word) {
    return switch (word) {
      case Bpftrace.NAME -> Optional.of(BpftraceOptions.usage());
      case Argdist.NAME -> Optional.of(ArgdistOptions.usage());
      case Events.KPROBE_EVENTS -> Optional.of(EventsOptions.usage(word, EventSpace.KERNEL));
      case Events.UPROBE_EVENTS -> Optional.of(EventsOptions.usage(word, EventSpace.USER));
      default -> Optional.empty();
    };
  }

  private static Topic topic(String word) throws UsageException {
    // Arguments and environment variables are one topic each.
    String name = word.matches("arg\\d+") ? "arg0" : word.startsWith("$") ? "$NAME" : word;
    Optional<Topic> topic = LanguageReference.topic(name);
    if (topic.isEmpty()) {
      String[] hints =
          Suggestions.hint(
              word, Stream.concat(COMMAND_NAMES.stream(), names(LanguageReference.topics())));
      throw new UsageException(
          "the language has no \"" + word + "\": " + (hints.length > 0 ? hints[0] : "see ply -h"));
    }
    return topic.get();
  }

  private static Stream<String> names(List<Topic> topics) {
    return topics.stream().flatMap(topic -> topic.names().stream());
  }

  private static String index() {
    StringBuilder text = new StringBuilder("ply -h WORD... explains words of the language:\n");
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
