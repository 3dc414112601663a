package dev.ply.cli.option;

import org.apache.commons.cli.Option;

/** Makes options of command lines. */
public final class NewOption {
  private NewOption() {}

  /** Returns an option that has a value, and a letter only. */
  public static Option valued(String letter, String argument, String description) {
    return Option.builder(letter).hasArg().argName(argument).desc(description).build();
  }

  /** Returns an option that has a value, a letter and a name. */
  public static Option valued(String letter, String name, String argument, String description) {
    return Option.builder(letter)
        .longOpt(name)
        .hasArg()
        .argName(argument)
        .desc(description)
        .build();
  }

  /** Returns an option that has a value, and a name only. */
  public static Option longValued(String name, String argument, String description) {
    return Option.builder().longOpt(name).hasArg().argName(argument).desc(description).build();
  }

  /** Returns an option that has no value, and a name only. */
  public static Option longFlag(String name, String description) {
    return Option.builder().longOpt(name).desc(description).build();
  }
}
