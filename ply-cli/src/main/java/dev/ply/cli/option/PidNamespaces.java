package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
    return inode.group(1) == null && number <= MOST_PROCESSES ? inodeOf(name) : existing(number);
  }

  /** Who may not look into all processes cannot know that a namespace is none of theirs. */
  private static long existing(long inode) throws UsageException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        if (namespace(process).filter(number -> number == inode).isPresent()) {
          return inode;
        }
      }
    } catch (IOException e) {
      return inode;
    }
    throw new UsageException("--pidns: no process is in a PID namespace " + inode);
  }

  /**
   * Returns the inode of a process's namespace; empty if the process has ended.
   *
   * @throws AccessDeniedException if this user may not know
   */
  private static Optional<Long> namespace(Path process) throws AccessDeniedException {
    try {
      return Optional.of((Long) Files.getAttribute(process.resolve("ns/pid"), "unix:ino"));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return Optional.empty();
    }
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
