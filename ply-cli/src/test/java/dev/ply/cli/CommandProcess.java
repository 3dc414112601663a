package dev.ply.cli;

import dev.ply.kernel.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command as a process of its own, without its launcher. With {@code -Dply.launch}, the
 * directory of the launcher's archives, it starts from the one of this Java runtime, which takes a
 * third of the time. The build sets it, whose jars are of the classes that are tested.
 */
public final class CommandProcess {
  private static final int FIRST_WITH_AOT_CACHE = 24;

  private static final Optional<Path> ARCHIVE =
      Optional.ofNullable(System.getProperty("ply.launch"))
          .map(Path::of)
          .flatMap(CommandProcess::archive);

  private CommandProcess() {}

  /** Starts it; its outputs are one stream. */
  public static Process start(String... arguments) throws IOException {
    return startUnder(List.of(), arguments);
  }

  /** Starts it by way of another program, such as {@code setpriv} with its options. */
  public static Process startUnder(List<String> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(command(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Returns the words that start it. */
  public static List<String> command(String... arguments) throws IOException {
    List<String> command = JavaProcess.command(Ply.class, arguments);
    // As the launcher does: runtimes that are both process 1 would share a file in /tmp.
    command.add(1, "-XX:-UsePerfData");
    if (ARCHIVE.isPresent()) {
      Path archive = ARCHIVE.get();
      String kind =
          Runtime.version().feature() < FIRST_WITH_AOT_CACHE ? "SharedArchiveFile" : "AOTCache";
      command.addAll(
          1, List.of("-XX:" + kind + "=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
      int path = command.indexOf("-cp") + 1;
      // The archive is used only if the class path begins with that of the archive.
      command.set(path, jars(archive) + File.pathSeparator + command.get(path));
    }
    return command;
  }

  private static Optional<Path> archive(Path directory) {
    String home = System.getProperty("java.home");
    Path archive =
        directory.resolve(home.replace('/', '_') + "-" + System.getProperty("java.version"));
    try {
      makeArchive(home);
      return Files.exists(archive) && Files.size(archive) > 0
          ? Optional.of(archive)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The launcher writes the class archive if it is missing or older than the jars. */
  private static void makeArchive(String home) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("bin/ply", "-v").redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", home);
    try (var output = builder.start().getInputStream()) {
      output.readAllBytes();
    }
  }

  private static String jars(Path archive) throws IOException {
    return Files.readString(archive.resolveSibling(archive.getFileName() + ".classpath")).strip();
  }
}
