package dev.ply.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
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
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // What this runtime was told about compilers and native code, the new one must know, too.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:") || argument.startsWith("-Djna."))
        .forEach(command::add);
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ply.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
