package dev.ply.cli.tool;

import dev.ply.cli.io.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Finds a library that a process has mapped. */
final class MappedLibrary {
  /** A limit for hostile processes; usual ones have some thousand mappings. */
  private static final int MOST_LINES = 100_000;

  private static final int PATH_COLUMN = 5;

  /** The process chooses its paths, and what else one has could be read as part of a definition. */
  private static final Pattern USUAL = Pattern.compile("[A-Za-z0-9._/+@=-]+");

  private MappedLibrary() {}

  /**
   * Returns the path of a library, as seen by the process.
   *
   * @param name of its file
   * @throws UsageException if no process is given, or it has none
   */
  static Path of(OptionalLong process, String name) throws UsageException {
    if (process.isEmpty()) {
      throw new UsageException("-p PID is needed: the process whose " + name + " is traced");
    }
    long pid = process.getAsLong();
    Path maps = Path.of("/proc", String.valueOf(pid), "maps");
    // Paths are any bytes.
    try (BufferedReader lines = Files.newBufferedReader(maps, StandardCharsets.ISO_8859_1)) {
      for (int i = 0; i < MOST_LINES; i++) {
        Optional<String> line = Optional.ofNullable(lines.readLine());
        if (line.isEmpty()) {
          break;
        }
        String[] columns = line.get().split(" +", PATH_COLUMN + 1);
        if (columns.length > PATH_COLUMN && columns[PATH_COLUMN].endsWith("/" + name)) {
          return file(pid, columns[PATH_COLUMN]);
        }
      }
    } catch (IOException e) {
      throw new UsageException("-p: " + maps + " cannot be read");
    }
    throw new UsageException("-p: process " + pid + " has no " + name);
  }

  private static Path file(long pid, String path) throws UsageException {
    if (!USUAL.matcher(path).matches()) {
      throw new UsageException(
          "-p: the library of process " + pid + " has an unusual path, " + path);
    }
    return Path.of("/proc/" + pid + "/root" + path);
  }
}
