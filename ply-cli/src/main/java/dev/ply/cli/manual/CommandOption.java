package dev.ply.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An option of a command line. Two options can have the same letter if one of them takes a duration
 * and the other does not: the letter means the duration where a number follows.
 *
 * @param letter what follows one dash; empty if none
 * @param name what follows two dashes; empty if none
 * @param otherNames names that are accepted, too
 * @param argument the value it takes, if any
 * @param sentence what it does, in one sentence
 */
public record CommandOption(
    String letter,
    String name,
    List<String> otherNames,
    Optional<Argument> argument,
    String sentence) {
  /** Checks that it can be written, and keeps a copy of the names. */
  public CommandOption {
    if (letter.isEmpty() && name.isEmpty()) {
      throw new IllegalArgumentException("an option without letter and name: " + sentence);
    }
    otherNames = List.copyOf(otherNames);
  }

  /** {@return an option without a value} */
  public static CommandOption flag(String letter, String name, String sentence) {
    return new CommandOption(letter, name, List.of(), Optional.empty(), sentence);
  }

  /** {@return an option with a value} */
  public static CommandOption valued(
      String letter, String name, Argument argument, String sentence) {
    return new CommandOption(letter, name, List.of(), Optional.of(argument), sentence);
  }

  /** {@return an option with a value that can be left out: {@code --name}, {@code --name=VALUE}} */
  public static CommandOption optional(String name, Argument argument, String sentence) {
    return valued("", name, argument.optional(), sentence);
  }

  /** {@return this option with names that are accepted, too} */
  public CommandOption alsoCalled(String... names) {
    return new CommandOption(letter, name, List.of(names), argument, sentence);
  }

  /** {@return this option where it does something else} */
  public CommandOption saying(String other) {
    return new CommandOption(letter, name, otherNames, argument, other);
  }

  /** {@return the name that messages use, with its dashes} */
  public String usualName() {
    return letter.isEmpty() ? "--" + name : "-" + letter;
  }

  /** {@return all names, with their dashes} */
  public List<String> spellings() {
    List<String> spellings = new ArrayList<>();
    if (!letter.isEmpty()) {
      spellings.add("-" + letter);
    }
    if (!name.isEmpty()) {
      spellings.add("--" + name);
    }
    otherNames.forEach(other -> spellings.add("--" + other));
    return spellings;
  }

  /** {@return whether the word after it is its value} */
  public boolean takesWord() {
    return argument.filter(one -> !one.isOptional()).isPresent();
  }

  /** {@return whether its value is a duration} */
  public boolean takesDuration() {
    return argument.filter(one -> one.kind() == Argument.Kind.DURATION).isPresent();
  }
}
