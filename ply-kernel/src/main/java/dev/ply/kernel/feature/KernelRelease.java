package dev.ply.kernel.feature;

import dev.ply.machine.KernelVersion;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The version of the running kernel. */
public final class KernelRelease {
  private static final Path FILE = Path.of("/proc/sys/kernel/osrelease");

  private KernelRelease() {}

  /** Reads the version. */
  public static KernelVersion read() {
    try {
      return KernelVersion.parse(Files.readString(FILE));
    } catch (IOException e) {
      throw new UnreadableTargetException(FILE + " cannot be read: is procfs mounted on /proc?");
    }
  }
}
