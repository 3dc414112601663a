package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PID namespaces as command lines name them. */
final class PidNamespaces {
  private static final Pattern INODE = Pattern.compile("pid:\\[(\\d{1,10})\\]|(\\d{1,10})");

  /** PIDs are lower, and the inodes of namespaces are higher: PID_MAX_LIMIT. */
  private static final long MOST_PROCESSES = 1 << 22;

  private PidNamespaces() {}

  /**
   * Returns the inode of a namespace.
   *
   * @param name {@code self}, a PID whose namespace it is, or the inode, also as {@code readlink
   *     /proc/PID/ns/pid} shows it
   */
  static long inode(String name) throws UsageException {
    Matcher inode = INODE.matcher(name);
    if (name.equals("self")) {
      return inodeOf(name);
    }
    if (!inode.matches()) {
      throw new UsageException(
          "--pidns takes a PID, self, or the inode that readlink /proc/PID/ns/pid shows, not \""
              + name
              + "\"");
    }
    long number = Long.parseLong(inode.group(1) == null ? inode.group(2) : inode.group(1));
    return inode.group(1) == null && number <= MOST_PROCESSES ? inodeOf(name) : number;
  }

  private static long inodeOf(String process) throws UsageException {
    Path namespace = Path.of("/proc", process, "ns/pid");
    try {
      return (Long) Files.getAttribute(namespace, "unix:ino");
    } catch (IOException e) {
      throw new UsageException(
          Files.exists(Path.of("/proc", process))
              ? "--pidns: "
                  + namespace
                  + " cannot be read: that takes the same user or CAP_SYS_PTRACE"
              : "--pidns: no process " + process);
    }
  }
}
