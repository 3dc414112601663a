package dev.ply.cli;

import dev.ply.kernel.JavaProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The command as a process of its own, without its launcher. */
public final class CommandProcess {
  private CommandProcess() {}

  /** Starts it; its outputs are one stream. */
  public static Process start(String... arguments) throws IOException {
    return startUnder(List.of(), arguments);
  }

  /** Starts it by way of another program, such as {@code setpriv} with its options. */
  public static Process startUnder(List<String> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(program);
    int java = command.size();
    command.addAll(JavaProcess.command(Ply.class, arguments));
    // As the launcher does: runtimes that are both process 1 would share a file in /tmp.
    command.add(java + 1, "-XX:-UsePerfData");
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
