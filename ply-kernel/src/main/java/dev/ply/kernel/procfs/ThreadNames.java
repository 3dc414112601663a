package dev.ply.kernel.procfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The names of running threads, in procfs. */
public final class ThreadNames {
  private ThreadNames() {}

  /**
   * {@return the name of a thread; empty if missing}
   *
   * @param id the process or thread ID
   */
  public static Optional<String> read(long id) {
    if (id <= 0) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(id), "comm"));
      String line = new String(bytes, StandardCharsets.UTF_8);
      return Optional.of(line.endsWith("\n") ? line.substring(0, line.length() - 1) : line);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
