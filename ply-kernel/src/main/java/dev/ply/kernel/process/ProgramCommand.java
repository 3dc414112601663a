package dev.ply.kernel.process;

import java.util.List;
import java.util.stream.Stream;

/** A program with its arguments. */
record ProgramCommand(List<String> words) implements ChildCommand {
  /** Waits for a line from descriptor 3 and executes the program; exits if the pipe is closed. */
  private static final String WAIT = "read -r line <&3 && exec \"$@\" 3<&-";

  ProgramCommand {
    words = List.copyOf(words);
  }

  @Override
  public List<String> waiting() {
    return Stream.concat(Stream.of("sh", "-c", WAIT, "sh"), words.stream()).toList();
  }

  @Override
  public boolean staysShell() {
    return false;
  }
}
