package dev.ply.kernel.tracefs;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that made something in tracefs, as the name it gave to it tells. What a process
 * leaves behind when it is killed is known by that, whatever process has its number by now.
 *
 * @param namespace the process namespace that the number is of
 * @param pid the process's number
 * @param started when it started, in the clock ticks of {@code /proc/PID/stat}
 */
record Owner(long namespace, long pid, long started) {
  private static final Pattern NAME =
      Pattern.compile("ply_([0-9a-f]+)_(\\d{1,18})_(\\d{1,18})_[0-9a-f]{8}");
  private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})\\]");

  /** Where the start time stands behind the name, which may hold blanks and brackets. */
  private static final int START_TIME = 19;

  /**
   * Returns this process.
   *
   * @param proc where procfs is mounted
   * @throws UnreadableTargetException if it is not mounted there
   */
  static Owner self(Path proc) {
    long pid = ProcessHandle.current().pid();
    Optional<Long> namespace = namespace(proc);
    Optional<Long> started = startOf(proc, pid);
    if (namespace.isEmpty() || started.isEmpty()) {
      throw new UnreadableTargetException(
          "this process is not to be found in " + proc + ": is procfs mounted there?");
    }
    return new Owner(namespace.get(), pid, started.get());
  }

  /** Returns who gave that name to something, empty if it is not one of ours. */
  static Optional<Owner> of(String name) {
    Matcher parts = NAME.matcher(name);
    return parts.matches()
        ? Optional.of(
            new Owner(
                Long.parseLong(parts.group(1), 16),
                Long.parseLong(parts.group(2)),
                Long.parseLong(parts.group(3))))
        : Optional.empty();
  }

  /**
   * Returns a name for something new that nobody else has. The number at its end tells one from
   * another; it is no secret, for which Java would have to start its cryptography.
   */
  String newName() {
    return "ply_"
        + Long.toHexString(namespace)
        + "_"
        + pid
        + "_"
        + started
        + "_"
        + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }

  /** Tells whether it has surely ended; of other namespaces nothing is known. */
  boolean isGone(Path proc) {
    return namespace(proc).equals(Optional.of(namespace))
        && !startOf(proc, pid).equals(Optional.of(started));
  }

  private static Optional<Long> namespace(Path proc) {
    try {
      String link = Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
      Matcher number = NAMESPACE.matcher(link);
      return number.matches() ? Optional.of(Long.parseLong(number.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> startOf(Path proc, long pid) {
    try {
      String stat = Files.readString(proc.resolve(pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
      return fields.length > START_TIME
          ? Optional.of(Long.parseLong(fields[START_TIME]))
          : Optional.empty();
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
