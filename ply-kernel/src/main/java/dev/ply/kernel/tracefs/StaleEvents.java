package dev.ply.kernel.tracefs;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dynamic events of killed processes. All other kernel resources of a tracer are released with its
 * process; events in tracefs are not.
 */
public final class StaleEvents {
  private static final List<String> CONTROLS = List.of("kprobe_events", "uprobe_events");

  /** A line such as {@code r8:group/event vfs_read}. */
  private static final Pattern DEFINITION = Pattern.compile("[pr]\\d*:([^/\\s]+)/(\\S+)\\s.*");

  private static final Path PROC = Path.of("/proc");

  private StaleEvents() {}

  /**
   * Removes the events of killed processes and returns their names. Events in use are kept.
   *
   * @throws UnreadableTargetException if the events cannot be listed
   */
  public static List<String> remove(Tracefs tracefs) {
    return remove(tracefs, PROC);
  }

  static List<String> remove(Tracefs tracefs, Path proc) {
    List<String> removed = new ArrayList<>();
    for (String control : CONTROLS) {
      Path file = tracefs.file(control);
      if (Files.isRegularFile(file)) {
        for (String name : abandoned(file, proc)) {
          if (remove(file, name)) {
            removed.add(name);
          }
        }
      }
    }
    return List.copyOf(removed);
  }

  private static List<String> abandoned(Path control, Path proc) {
    try {
      return Files.readAllLines(control, StandardCharsets.ISO_8859_1).stream()
          .map(DEFINITION::matcher)
          .filter(Matcher::matches)
          .filter(
              line ->
                  ProcessIdentity.of(line.group(1)).filter(owner -> owner.isGone(proc)).isPresent())
          .map(line -> line.group(1) + "/" + line.group(2))
          .toList();
    } catch (IOException e) {
      throw new UnreadableTargetException(control + " cannot be read: " + e.getMessage());
    }
  }

  private static boolean remove(Path control, String name) {
    try {
      Files.write(
          control,
          ("-:" + name + "\n").getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.APPEND);
      return true;
    } catch (IOException e) {
      // In use, or removed concurrently.
      return false;
    }
  }
}
