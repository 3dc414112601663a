package dev.ply.kernel.procfs;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The procfs at {@code /proc}, which has the PIDs of the namespace it was mounted in: not those of
 * this process after {@code unshare --pid} without {@code --mount-proc}.
 */
public final class Procfs {
  private static final Path SELF = Path.of("/proc/self");

  private Procfs() {}

  /** Returns whether its PIDs are those of this process's namespace. */
  static boolean hasOwnPids() {
    try {
      String pid = Long.toString(ProcessHandle.current().pid());
      return Files.readSymbolicLink(SELF).toString().equals(pid);
    } catch (IOException e) {
      // Not mounted, or of a namespace without this process.
      return false;
    }
  }

  /**
   * Requires a procfs of this process's PID namespace.
   *
   * @throws UnreadableTargetException otherwise
   */
  public static void requireOwnPids() {
    if (!hasOwnPids()) {
      throw new UnreadableTargetException(
          "/proc has the processes of another PID namespace: mount that of this one, mount -t proc"
              + " proc /proc");
    }
  }
}
