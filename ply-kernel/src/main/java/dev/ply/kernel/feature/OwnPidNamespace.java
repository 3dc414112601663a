package dev.ply.kernel.feature;

import dev.ply.target.PidNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The PID namespace of this process. */
public final class OwnPidNamespace {
  private static final Path SELF = Path.of("/proc/self/ns/pid");
  private static final Pattern LINK = Pattern.compile("pid:\\[(\\d+)]");

  private OwnPidNamespace() {}

  /** Returns the namespace unless it is the initial one. */
  public static Optional<PidNamespace> unlessInitial() {
    try {
      Matcher link = LINK.matcher(Files.readSymbolicLink(SELF).toString());
      boolean isInitial =
          !link.matches() || new PidNamespace(0, Long.parseLong(link.group(1))).isInitial();
      // The link's name suffices for nearly all processes.
      return isInitial ? Optional.empty() : Optional.of(read());
    } catch (IOException e) {
      // Without procfs, assume the initial namespace.
      return Optional.empty();
    }
  }

  /**
   * Returns the namespace, even if it is the initial one.
   *
   * @throws IOException if no procfs shows this process
   */
  public static PidNamespace read() throws IOException {
    return new PidNamespace(
        kernelDevice((long) Files.getAttribute(SELF, "unix:dev")),
        (long) Files.getAttribute(SELF, "unix:ino"));
  }

  /**
   * Returns a device number as {@code MKDEV} of include/linux/kdev_t.h encodes it.
   *
   * @param device as stat(2) returns it ({@code makedev} of glibc)
   */
  static long kernelDevice(long device) {
    long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xffff_f000L);
    long minor = (device & 0xff) | ((device >>> 12) & 0xffff_ff00L);
    return (major << 20) | minor;
  }
}
