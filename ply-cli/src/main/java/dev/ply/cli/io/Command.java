package dev.ply.cli.io;

/** A command line of its own, {@code ply NAME …}. */
public interface Command {
  /** Returns the word after {@code ply}. */
  String name();

  /** Returns in a few words what it is, for the help of ply. */
  String summary();

  /** Returns the text of its {@code -h}. */
  String help();

  /**
   * Runs it and returns the exit status.
   *
   * @param arguments those after its name
   * @throws UsageException if they are not what it takes
   */
  int run(Streams streams, String... arguments) throws UsageException;
}
