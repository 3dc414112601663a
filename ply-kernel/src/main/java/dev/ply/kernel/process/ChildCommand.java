package dev.ply.kernel.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

  /**
   * {@return whether a program is certainly not there to be executed}
   *
   * @param name a path with a slash, or a name to look up
   * @param directories those to look in, separated by colons, as in {@code PATH}
   */
  static boolean isMissing(String name, String directories) {
    List<String> candidates =
        name.contains("/")
            ? List.of(name)
            : Stream.of(directories.split(":", -1))
                .map(directory -> directory + "/" + name)
                .toList();
    try {
      return name.isEmpty()
          || candidates.stream()
              .map(Path::of)
              .noneMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    } catch (InvalidPathException e) {
      // The name has letters that this locale lacks: the kernel, which gets its bytes, knows.
      return false;
    }
  }

  /** {@return whether the process is a shell, whose children are the programs of the command} */
  boolean staysShell();

  /** Returns the arguments of a shell that waits and then executes the command. */
  List<String> waiting();
}
