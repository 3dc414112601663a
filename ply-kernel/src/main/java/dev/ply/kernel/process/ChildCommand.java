package dev.ply.kernel.process;

import java.util.List;

/** A command that a {@link ChildProcess} runs. */
public sealed interface ChildCommand permits ShellCommand, ProgramCommand {
  /** Returns the command of a shell, as for {@code sh -c}. */
  static ChildCommand shell(String text) {
    return new ShellCommand(text);
  }

  /**
   * Returns a program, looked up in {@code PATH}, with its arguments; nothing in them is special.
   *
   * @param words the program and its arguments
   */
  static ChildCommand program(List<String> words) {
    return new ProgramCommand(words);
  }

  /** Returns the arguments with which a shell waits before it becomes the command. */
  List<String> waiting();
}
