package dev.ply.cli.webconfig;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;

/**
 * What was read from files, and is read again when they have changed. What cannot be read then is
 * reported, and the former value stays. Thread-safe.
 *
 * @param <T> the value
 */
final class FreshFiles<T> {
  /** The shortest time between two looks at the files. */
  private static final long PERIOD = 1_000_000_000L;

  private final List<Path> files;
  private final Reading<T> reading;
  private final Console console;
  private T value;
  private List<FileTime> times;
  private long looked = System.nanoTime();

  /** Reads the files. */
  interface Reading<T> {
    T read() throws UsageException;
  }

  FreshFiles(T value, Reading<T> reading, Console console, Path... files) {
    this.value = value;
    this.reading = reading;
    this.console = console;
    this.files = List.copyOf(Arrays.asList(files));
    this.times = times();
  }

  private List<FileTime> times() {
    return files.stream().map(FreshFiles::time).toList();
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  /** Returns the value. */
  synchronized T get() {
    long now = System.nanoTime();
    if (now - looked < PERIOD) {
      return value;
    }
    looked = now;
    List<FileTime> found = times();
    if (!found.equals(times)) {
      times = found;
      try {
        value = reading.read();
        console.message(files.get(0) + " is read again");
      } catch (UsageException e) {
        console.error(e.getMessage() + "; what was read before stays in force");
      }
    }
    return value;
  }
}
