package dev.ply.kernel.process;

import java.util.List;
import java.util.regex.Matcher;
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
   * before. The shell looks up the first word of a simple command, which can be a shell built-in: a
   * program replaces the shell, where shells differ in whether they would fork.
   */
  private static final String WAIT =
      "case $(command -v \"$2\") in /*) set -- \"exec $1\" ;; esac;"
          + " read -r line <&3 && exec "
          + SHELL
          + " -c \"$1\" 3<&-";

  /** The first word of an unmistakably simple command. */
  private static final Pattern SIMPLE =
      Pattern.compile(
          "\\s*([\\w./+-]+)(\\s(?:[^;|&()`\\n]|[<>]&)*)?", Pattern.UNICODE_CHARACTER_CLASS);

  @Override
  public List<String> waiting() {
    Matcher simple = SIMPLE.matcher(text);
    return List.of("sh", "-c", WAIT, "sh", text, simple.matches() ? simple.group(1) : "");
  }
}
