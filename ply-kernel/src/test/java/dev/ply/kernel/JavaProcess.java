package dev.ply.kernel;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Processes of the Java runtime that runs the tests. */
public final class JavaProcess {
  private JavaProcess() {}

  /**
   * Returns the command of a class, which is told about compilers and native code what this runtime
   * was told.
   */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:") || option.startsWith("-Djna."))
        .forEach(command::add);
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    Collections.addAll(command, "-cp", System.getProperty("java.class.path"), main.getName());
    Collections.addAll(command, arguments);
    return command;
  }
}
