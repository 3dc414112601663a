package dev.ply.cli.manual;

import java.util.List;

/**
 * The value that an option or operand takes.
 *
 * @param name in capitals for options, as help shows it
 * @param kind what completes it
 * @param choices the words it can be, or a list of which it can be; empty for other kinds
 * @param isOptional whether it can be left out; then it follows {@code =}
 */
public record Argument(String name, Kind kind, List<String> choices, boolean isOptional) {
  /** The kind of a value, for completion. */
  public enum Kind {
    /** Anything else. */
    TEXT,
    /** One of the choices. */
    CHOICE,
    /** Some of the choices, with commas between them. */
    CHOICES,
    /** A number. */
    NUMBER,
    /** A time: seconds, or with a unit. */
    DURATION,
    /** A file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** The ID of a process. */
    PROCESS,
    /** A program with its arguments. */
    COMMAND,
    /** A script, or its file. */
    SCRIPT,
    /** Patterns of probes. */
    PROBES,
    /** Words up to the next option. */
    WORDS
  }

  /** Keeps a copy of the choices. */
  public Argument {
    choices = List.copyOf(choices);
  }

  /** {@return a value that is one of some words} */
  public static Argument choice(String name, List<String> choices) {
    return new Argument(name, Kind.CHOICE, choices, false);
  }

  /** {@return a value that is a list of words with commas between them} */
  public static Argument choices(String name, List<String> choices) {
    return new Argument(name, Kind.CHOICES, choices, false);
  }

  /** {@return a value of a kind without choices} */
  public static Argument of(String name, Kind kind) {
    return new Argument(name, kind, List.of(), false);
  }

  /** {@return this value if it can be left out} */
  public Argument optional() {
    return new Argument(name, kind, choices, true);
  }
}
