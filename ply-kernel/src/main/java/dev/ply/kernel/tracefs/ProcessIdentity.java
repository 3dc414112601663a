package dev.ply.kernel.tracefs;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Identifies a process in the names of its tracefs objects, so that those of a killed process are
 * recognised even if its PID is reused.
 *
 * @param namespace the PID namespace of the PID
 * @param started the start time, in clock ticks of {@code /proc/PID/stat}
 */
record ProcessIdentity(long namespace, long pid, long started) {
  private static final String OURS = "ply";

  /** The parts of a name: {@code ply}, the three numbers, and a counter. */
  private static final int PARTS = 5;

  private static final int HEXADECIMAL = 16;
  private static final String NAMESPACE = "pid:[";

  /**
   * The index of the start time among the fields after the process's name, which can contain spaces
   * and parentheses.
   */
  private static final int START_TIME = 19;

  /**
   * Returns this process.
   *
   * @param proc the mount point of procfs
   * @throws UnreadableTargetException if procfs is not mounted there
   */
  static ProcessIdentity self(Path proc) {
    long pid = ProcessHandle.current().pid();
    Optional<Long> namespace = namespace(proc);
    Optional<Long> started = startOf(proc, pid);
    if (namespace.isEmpty() || started.isEmpty()) {
      throw new UnreadableTargetException(
          "this process was not found in " + proc + ": is procfs mounted there?");
    }
    return new ProcessIdentity(namespace.get(), pid, started.get());
  }

  /** Returns the process that created a name; empty if it is not ours. */
  static Optional<ProcessIdentity> of(String name) {
    String[] parts = name.split("_", -1);
    if (parts.length != PARTS || !parts[0].equals(OURS)) {
      return Optional.empty();
    }
    try {
      ProcessIdentity owner =
          new ProcessIdentity(
              Long.parseLong(parts[1], HEXADECIMAL),
              Long.parseLong(parts[2]),
              Long.parseLong(parts[3]));
      int number = Integer.parseUnsignedInt(parts[4], HEXADECIMAL);
      return owner.name(number).equals(name) ? Optional.of(owner) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a unique name. Its last number distinguishes names of this process; it is not secret,
   * which would load Java's cryptography.
   */
  String newName() {
    return name(ThreadLocalRandom.current().nextInt());
  }

  private String name(int number) {
    return OURS
        + "_"
        + Long.toHexString(namespace)
        + "_"
        + pid
        + "_"
        + started
        + "_"
        + HexFormat.of().toHexDigits(number);
  }

  /** Returns whether it has certainly exited; unknown for other PID namespaces. */
  boolean isGone(Path proc) {
    return namespace(proc).equals(Optional.of(namespace))
        && !startOf(proc, pid).equals(Optional.of(started));
  }

  private static Optional<Long> namespace(Path proc) {
    try {
      String link = Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
      return link.startsWith(NAMESPACE)
          ? Optional.of(Long.parseLong(link.substring(NAMESPACE.length(), link.length() - 1)))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
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
