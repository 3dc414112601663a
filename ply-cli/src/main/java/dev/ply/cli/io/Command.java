package dev.ply.cli.io;

import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.HelpText;

/** A command line of its own, {@code ply NAME …}. */
public interface Command {
  /** Returns the word after {@code ply}. */
  String name();

  /** Returns its declaration. */
  CommandManual manual();

  /** Returns in a few words what it is, for the help of ply. */
  default String summary() {
    return manual().summary();
  }

  /** Returns the text of its {@code -h}. */
  default String help() {
    return HelpText.of(manual());
  }

  /**
   * Runs it and returns the exit status.
   *
   * @param arguments those after its name
   * @throws UsageException if they are not what it takes
   */
  int run(Streams streams, String... arguments) throws UsageException;
}
