package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.diagnostic.Suggestions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The names of a command's options: other names, beginnings of names, letters of two options. */
final class OptionNames {
  /** Shorter words are as similar to most options as to the one that is meant. */
  private static final int SHORTEST_SUGGESTION = 4;

  private final List<CommandOption> options;

  OptionNames(CommandManual manual) {
    options = manual.allOptions().toList();
  }

  /** Returns an option as the parser takes it: without a letter that means another one, too. */
  Option option(CommandOption declared) {
    String letter = isShared(declared) && declared.takesDuration() ? "" : declared.letter();
    Option.Builder option = letter.isEmpty() ? Option.builder() : Option.builder(letter);
    if (!declared.name().isEmpty()) {
      option.longOpt(declared.name());
    }
    declared
        .argument()
        .ifPresent(
            argument -> {
              option.argName(argument.name());
              if (argument.kind() == Argument.Kind.WORDS) {
                option.hasArgs();
              } else {
                option.hasArg();
              }
            });
    return option.build();
  }

  private boolean isShared(CommandOption declared) {
    return !declared.letter().isEmpty()
        && options.stream().filter(one -> one.letter().equals(declared.letter())).count() > 1;
  }

  /** Returns the arguments with the usual names of options. */
  String[] usual(Options known, String... arguments) throws UsageException {
    Optional<Pattern> shared = sharedLetter();
    List<String> usual = new ArrayList<>();
    int end = Arrays.asList(arguments).indexOf("--");
    for (int i = 0; i < arguments.length; i++) {
      String word = arguments[i];
      if (end >= 0 && i >= end) {
        usual.add(word);
      } else if (word.startsWith("--")) {
        usual.add(withValue(whole(known, word)));
      } else if (shared.isPresent()) {
        usual.addAll(
            ofShared(shared.get(), word, i + 1 < arguments.length ? arguments[i + 1] : ""));
      } else {
        usual.add(word);
      }
    }
    return usual.toArray(String[]::new);
  }

  /** Returns an option whose value is left out with an empty one: the next word is no value. */
  private String withValue(String word) {
    boolean isLeftOut =
        options.stream()
            .filter(option -> option.argument().filter(Argument::isOptional).isPresent())
            .anyMatch(option -> word.equals("--" + option.name()));
    return isLeftOut ? word + "=" : word;
  }

  /** Returns a pattern of letters that end with the one of a duration and of another option. */
  private Optional<Pattern> sharedLetter() {
    String flags =
        options.stream()
            .filter(option -> option.argument().isEmpty())
            .map(CommandOption::letter)
            .collect(Collectors.joining());
    return options.stream()
        .filter(option -> option.takesDuration() && isShared(option))
        .findFirst()
        .map(option -> option.letter())
        .map(letter -> Pattern.compile("(-[" + flags + "]*?)" + letter + "=?(.*)", Pattern.DOTALL));
  }

  private List<String> ofShared(Pattern shared, String word, String next) {
    Matcher matcher = shared.matcher(word);
    if (!matcher.matches()) {
      return List.of(word);
    }
    String before = matcher.group(1);
    String value = matcher.group(2);
    if (!Durations.isMeantBy(value.isEmpty() ? next : value)) {
      return List.of(word);
    }
    List<String> words = new ArrayList<>();
    if (before.length() > 1) {
      words.add(before);
    }
    words.add("--" + Durations.DURATION.name() + (value.isEmpty() ? "" : "=" + value));
    return words;
  }

  /** Returns a long option by its usual name, of which another or the beginning is given. */
  private String whole(Options known, String word) throws UsageException {
    int end = word.indexOf('=') < 0 ? word.length() : word.indexOf('=');
    String name = word.substring(0, end);
    if (name.length() < 3 || known.hasLongOption(name)) {
      return word;
    }
    TreeSet<String> meant = new TreeSet<>();
    for (CommandOption option : options) {
      for (String spelling : option.spellings()) {
        if (spelling.equals(name)) {
          return "--" + option.name() + word.substring(end);
        }
        if (spelling.startsWith(name)) {
          meant.add(option.name());
        }
      }
    }
    for (String unlisted : known.getMatchingOptions(name)) {
      meant.add(unlisted);
    }
    if (meant.size() > 1) {
      throw new UsageException(name + " can be --" + String.join(" or --", meant));
    }
    return meant.isEmpty() ? word : "--" + meant.first() + word.substring(end);
  }

  /** Returns the hint for an unknown option, if a similar one exists. */
  Optional<String> nearest(String given) {
    String word = given.replaceFirst("(?s)=.*", "");
    if (word.length() == 2) {
      // -V in one command is -v in another.
      return spellings().filter(word::equalsIgnoreCase).findFirst().map(OptionNames::hint);
    }
    String name = word.startsWith("--") ? word : "-" + word;
    return name.length() < SHORTEST_SUGGESTION
        ? Optional.empty()
        : Suggestions.nearest(name, names()).map(OptionNames::hint);
  }

  /** Returns the hint for a word after a single dash that is similar to a name, not to letters. */
  Optional<String> meantBySingleDash(String... arguments) {
    return Stream.of(arguments)
        .takeWhile(word -> !word.equals("--"))
        .filter(word -> word.matches("-[a-z][a-z-]{2,}"))
        .map(word -> Suggestions.nearest("-" + word, names()))
        .flatMap(Optional::stream)
        .findFirst()
        .map(OptionNames::hint);
  }

  private Stream<String> names() {
    return spellings().filter(spelling -> spelling.startsWith("--"));
  }

  private Stream<String> spellings() {
    return options.stream().flatMap(option -> option.spellings().stream());
  }

  private static String hint(String name) {
    return "did you mean \"" + name + "\"?";
  }
}
