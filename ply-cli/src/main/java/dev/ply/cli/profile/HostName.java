package dev.ply.cli.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the machine, as the kernel has it: no other is asked. */
final class HostName {
  private HostName() {}

  static String get() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
