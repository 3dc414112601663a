package dev.ply.kernel.process;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A shell command.
 *
 * @param text as for {@code sh -c}
 */
record ShellCommand(String text) implements ChildCommand {
  static final String SHELL = "/bin/sh";

  /**
   * Waits for a line from descriptor 3 and executes the command; exits if the pipe is closed
   * before. A program replaces the shell, where shells differ in whether they would fork: a word
   * with a slash is one, another may be a shell built-in, which the shell looks up. All other
   * commands are followed by one more, since some shells let the last one replace them.
   */
  private static final String WAIT =
      "case $2 in */*) set -- -c \"$3\" ;;"
          + " *) case $(command -v \"$2\") in /*) set -- -c \"$3\" ;;"
          + " *) set -- -c 'eval \"shift; $1\"; exit $?' "
          + SHELL
          + " \"$1\" ;; esac ;; esac; read -r line <&3 && exec "
          + SHELL
          + " \"$@\" 3<&-";

  /** Built-in commands that run others. */
  private static final Set<String> RUNS_OTHERS = Set.of("!", ".", "command", "eval", "source");

  private static final Pattern REPLACED = Pattern.compile("(^|\\W)exec\\s");

  @Override
  public List<String> waiting() {
    Optional<SimpleCommand> simple = SimpleCommand.of(text);
    return List.of(
        "sh",
        "-c",
        WAIT,
        "sh",
        text,
        simple.map(SimpleCommand::program).orElse(""),
        simple.map(SimpleCommand::executed).orElse(""));
  }

  @Override
  public boolean staysShell() {
    return SimpleCommand.of(text)
        .map(command -> RUNS_OTHERS.contains(command.program()))
        .orElse(!text.isBlank() && !REPLACED.matcher(text).find());
  }
}
