package dev.ply.kernel.process;

import java.util.List;
import java.util.Optional;

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
   * with a slash is one, another may be a shell built-in, which the shell looks up.
   */
  private static final String WAIT =
      "case $2 in '') ;; */*) set -- \"$3\" ;;"
          + " *) case $(command -v \"$2\") in /*) set -- \"$3\" ;; esac ;; esac;"
          + " read -r line <&3 && exec "
          + SHELL
          + " -c \"$1\" 3<&-";

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
}
