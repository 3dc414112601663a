package dev.ply.kernel.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The flags of file systems by {@code /proc/PID/mountinfo}, read without native calls. */
final class MountFlags {
  private static final Path OWN = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;
  private static final int OPTIONS = 5;

  private final List<Mount> mounts;

  private record Mount(Path point, boolean isNoExec) {}

  private MountFlags(List<Mount> mounts) {
    this.mounts = mounts;
  }

  /** Reads the mounts of this process; none, without flags, where procfs is missing. */
  static MountFlags ofThisProcess() {
    try {
      return of(Files.readString(OWN));
    } catch (IOException e) {
      return of("");
    }
  }

  static MountFlags of(String mountinfo) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : mountinfo.split("\n", -1)) {
      String[] fields = line.split(" ", -1);
      if (fields.length > OPTIONS) {
        mounts.add(
            new Mount(
                Path.of(unescaped(fields[MOUNT_POINT])),
                Arrays.asList(fields[OPTIONS].split(",", -1)).contains("noexec")));
      }
    }
    return new MountFlags(mounts);
  }

  /** The kernel writes space, tab, newline and backslash in octal. */
  private static String unescaped(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  /** Returns whether no program can be run, and no library loaded, from a directory. */
  boolean isNoExec(Path directory) {
    Path real = real(directory);
    boolean isNoExec = false;
    for (Mount mount : mounts) {
      // In order of mounting: a later one hides what is below its point.
      if (real.startsWith(mount.point())) {
        isNoExec = mount.isNoExec();
      }
    }
    return isNoExec;
  }

  private static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      return directory.toAbsolutePath();
    }
  }
}
