package dev.ply.kernel.user;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process as {@code /proc/PID/status} and {@code stat} show it.
 *
 * @param ownPid the number it has for itself: that of the innermost PID namespace
 * @param user the effective user
 * @param caught the signals it catches, a bit each, signal 1 in the lowest
 * @param started when it was started, which tells it from others of its number
 */
record ProcessStatus(int pid, String ownPid, int user, long caught, String started) {
  private static final int LARGEST = 1 << 16;

  /** Reads what there is now; empty if there is no such process. */
  static Optional<ProcessStatus> of(int pid) {
    try {
      // A thread's name may have any bytes.
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
              Long.parseUnsignedLong(field(status, "SigCgt:"), 16),
              // Field 22; the name, which may have anything in it, is field 2.
              stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      // It ends while its files are read.
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

  /** Returns whether a signal calls a handler of the process. */
  boolean catches(int signal) {
    return (caught >>> (signal - 1) & 1) != 0;
  }

  /** Returns whether this is the process it was, and not a later one of its number. */
  boolean isStillThere() {
    return of(pid).filter(now -> now.started.equals(started)).isPresent();
  }
}
