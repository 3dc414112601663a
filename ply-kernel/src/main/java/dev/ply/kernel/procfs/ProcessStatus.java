package dev.ply.kernel.procfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process, from {@code /proc/PID/status} and {@code stat}.
 *
 * @param ownPid the PID in its innermost PID namespace
 * @param user the effective UID
 * @param group the effective GID
 * @param isStopped whether it does not run until it is continued
 * @param caught the mask of caught signals, signal 1 in the lowest bit
 * @param started the start time, which distinguishes processes of the same PID
 */
public record ProcessStatus(
    int pid, String ownPid, int user, int group, boolean isStopped, long caught, String started) {
  private static final int LARGEST = 1 << 16;

  /** Reads the current status; empty if the process does not exist. */
  public static Optional<ProcessStatus> of(int pid) {
    if (!Procfs.hasOwnPids()) {
      return Optional.empty();
    }
    try {
      // Thread names can contain any bytes.
      String status = read(Path.of("/proc/" + pid + "/status"));
      String stat = read(Path.of("/proc/" + pid + "/stat"));
      String ownPid = field(status, "NSpid:");
      return Optional.of(
          new ProcessStatus(
              pid,
              ownPid.isEmpty()
                  ? Integer.toString(pid)
                  : ownPid.substring(ownPid.lastIndexOf('\t') + 1),
              Integer.parseUnsignedInt(field(status, "Uid:").split("\t", -1)[1]),
              Integer.parseUnsignedInt(field(status, "Gid:").split("\t", -1)[1]),
              field(status, "State:").toUpperCase(Locale.ROOT).startsWith("T"),
              Long.parseUnsignedLong(field(status, "SigCgt:"), 16),
              // Field 22; field 2, the name, can contain anything.
              stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      // Exits during reading.
      return Optional.empty();
    }
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.ISO_8859_1);
    }
  }

  private static String field(String status, String label) {
    return Stream.of(status.split("\n", -1))
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()).strip())
        .findFirst()
        .orElse("");
  }

  /** Returns whether the process catches a signal. */
  public boolean catches(int signal) {
    return (caught >>> (signal - 1) & 1) != 0;
  }

  /** Returns whether a thread of it has this name. */
  public boolean hasThread(String name) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.anyMatch(thread -> name.equals(threadName(thread)));
    } catch (IOException | UncheckedIOException e) {
      // Exits during reading.
      return false;
    }
  }

  private static String threadName(Path thread) {
    try {
      return read(thread.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns whether it is in this process's user namespace: its IDs are the same there. */
  public boolean isInOwnUserNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/user"))
          .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user")));
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether this process still exists. */
  public boolean isStillThere() {
    return of(pid).filter(now -> now.started.equals(started)).isPresent();
  }
}
