package dev.ply.cli;

import org.apache.commons.cli.Option;

/** Makes options of command lines. */
final class NewOption {
  private NewOption() {}

  /** Returns an option that has a value, and a letter only. */
  static Option valued(String letter, String argument, String description) {
    return Option.builder(letter).hasArg().argName(argument).desc(description).build();
  }

  /** Returns an option that has a value, a letter and a name. */
  static Option valued(String letter, String name, String argument, String description) {
    return Option.builder(letter)
        .longOpt(name)
        .hasArg()
        .argName(argument)
        .desc(description)
        .build();
  }

  /** Returns an option that has a value, and a name only. */
  static Option longValued(String name, String argument, String description) {
    return Option.builder().longOpt(name).hasArg().argName(argument).desc(description).build();
  }

  /** Returns an option that has no value, and a name only. */
  static Option longFlag(String name, String description) {
    return Option.builder().longOpt(name).desc(description).build();
  }
}
