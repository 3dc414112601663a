package dev.ply.cli.bpftrace;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.kernel.process.ChildCommand;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The program and arguments of {@code -c}: words between spaces, since no shell reads them. */
final class CommandWords {
  /** _PATH_DEFPATH of paths.h. */
  private static final String DEFAULT_PATH = "/usr/bin:/bin";

  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*");

  /** Quotes, operators, redirections and variables. */
  private static final Pattern SHELL_WORD =
      Pattern.compile(".*['\"`].*|.*;|[|&]{1,2}|\\d?[<>].*|\\$[A-Za-z_{(].*");

  private CommandWords() {}

  /**
   * Returns the command to run. A shell that waits executes it later, and would find out only after
   * all probes are on.
   *
   * @throws UsageException if there is no such program
   */
  static ChildCommand program(String command) throws UsageException {
    List<String> words = words(command);
    String name = words.get(0);
    String directories = System.getenv().getOrDefault("PATH", DEFAULT_PATH);
    if (ChildCommand.isMissing(name, directories)) {
      String instead =
          ASSIGNMENT.matcher(name).matches() ? "; env sets variables: -c 'env " + name + " …'" : "";
      throw new UsageException(
          "-c " + command + ": program \"" + name + "\" not found, or not executable" + instead);
    }
    return ChildCommand.program(words);
  }

  /** Warns of a word of a command that only a shell would not pass on as it is. */
  static void warnOfShell(String command, Console console) {
    shellWord(command)
        .ifPresent(
            word ->
                console.warning(
                    "-c runs a program without a shell, as bpftrace does: the program receives "
                        + word
                        + " unchanged; put the command into an executable script instead"));
  }

  /** Returns the first word of a command that only a shell would not pass on as it is. */
  static Optional<String> shellWord(String command) {
    return words(command).stream().filter(SHELL_WORD.asMatchPredicate()).findFirst();
  }

  /** Returns the words of a command, separated by spaces; bpftrace has no quoting. */
  static List<String> words(String command) {
    return List.of(command.trim().split(" +", -1));
  }
}
