package dev.ply.kernel.untrusted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The types of mounted file systems by their device numbers, from the mount tables of this process
 * and of the process that a path leads through. Asking a file system itself might never return.
 * Thread-safe.
 */
final class MountedTypes {
  private static final Pattern PROCESS = Pattern.compile("/proc/([0-9]+)/.*", Pattern.DOTALL);

  /** The fields of a line: IDs, device, root, mount point, options, optional fields, type. */
  private static final Pattern LINE =
      Pattern.compile("\\S+ \\S+ (\\d+):(\\d+) \\S+ \\S+ .*? - (\\S+) .*");

  /** Numbers are reused when another file system is mounted. */
  private static final long VALID = 1_000_000_000;

  private static final Map<Long, Known> KNOWN = new HashMap<>();
  private static final int MOST_KNOWN = 1 << 10;

  private record Known(Optional<String> type, long time) {}

  private MountedTypes() {}

  /**
   * Returns the type of the file system of a device; empty if it is that of a disk, or unknown.
   *
   * @param device as {@link FileFacts#device}
   * @param path that led there
   */
  static Optional<String> of(long device, String path) {
    if (device >>> Integer.SIZE != 0) {
      return Optional.empty();
    }
    long now = System.nanoTime();
    synchronized (KNOWN) {
      Known known = KNOWN.get(device);
      if (known != null && now - known.time() < VALID) {
        return known.type();
      }
    }
    Map<Long, String> all = new HashMap<>();
    tables(path).forEach(table -> read(table, all));
    Optional<String> type = Optional.ofNullable(all.get(device));
    synchronized (KNOWN) {
      if (KNOWN.size() >= MOST_KNOWN) {
        KNOWN.clear();
      }
      KNOWN.put(device, new Known(type, now));
    }
    return type;
  }

  private static List<Path> tables(String path) {
    List<Path> tables = new ArrayList<>(List.of(Path.of("/proc/self/mountinfo")));
    Matcher process = PROCESS.matcher(path);
    if (process.matches()) {
      tables.add(Path.of("/proc", process.group(1), "mountinfo"));
    }
    return tables;
  }

  private static void read(Path table, Map<Long, String> types) {
    try (Stream<String> lines = Files.lines(table, StandardCharsets.ISO_8859_1)) {
      lines.map(LINE::matcher).filter(Matcher::matches).forEach(line -> add(line, types));
    } catch (IOException | UncheckedIOException e) {
      // The process has ended.
      return;
    }
  }

  private static void add(Matcher line, Map<Long, String> types) {
    long device = Long.parseLong(line.group(1)) << Integer.SIZE | Long.parseLong(line.group(2));
    types.put(device, line.group(3));
  }
}
