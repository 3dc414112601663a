package dev.ply.kernel.oracle;

import dev.ply.kernel.feature.OwnPidNamespace;
import dev.ply.target.PidNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The thread that a test run runs on: whoever asks for it.
 *
 * @param pid the process
 * @param tid the thread
 * @param uid whose it is
 * @param gid their group
 * @param comm its name
 * @param namespace the PID namespace in which it has these IDs
 */
record CallingThread(int pid, int tid, int uid, int gid, String comm, PidNamespace namespace) {
  private static final Path SELF = Path.of("/proc/thread-self");

  /** Returns the facts of this thread. */
  static CallingThread now() {
    try {
      Path tid = Path.of("/proc").relativize(SELF.toRealPath()).getFileName();
      return new CallingThread(
          (int) ProcessHandle.current().pid(),
          Integer.parseInt(tid.toString()),
          (int) Files.getAttribute(SELF, "unix:uid"),
          (int) Files.getAttribute(SELF, "unix:gid"),
          Files.readString(SELF.resolve("comm")).strip(),
          OwnPidNamespace.read());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
