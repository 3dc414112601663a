package dev.ply.kernel.process;

import java.util.List;

/** A command that a {@link ChildProcess} runs. */
public sealed interface ChildCommand permits ShellCommand, ProgramCommand {
  /** Returns a shell command, as for {@code sh -c}. */
  static ChildCommand shell(String text) {
    return new ShellCommand(text);
  }

  /**
   * Returns a program, looked up in {@code PATH}, with literal arguments.
   *
   * @param words the program and its arguments
   */
  static ChildCommand program(List<String> words) {
    return new ProgramCommand(words);
  }

  /** Returns the arguments of a shell that waits and then executes the command. */
  List<String> waiting();
}
