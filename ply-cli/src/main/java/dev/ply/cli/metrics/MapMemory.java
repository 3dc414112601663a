package dev.ply.cli.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The kernel's memory for the maps of this process. */
final class MapMemory {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final String MAP = "anon_inode:bpf-map";
  private static final Pattern BYTES = Pattern.compile("(?m)^memlock:\\s+(\\d{1,18})");

  private MapMemory() {}

  /** Returns the bytes of all maps; empty where they cannot be read, as without privileges. */
  static OptionalLong bytes() {
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      return OptionalLong.of(all.filter(MapMemory::isMap).mapToLong(MapMemory::bytes).sum());
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static boolean isMap(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().equals(MAP);
    } catch (IOException e) {
      // Closed in the meantime.
      return false;
    }
  }

  private static long bytes(Path descriptor) {
    try {
      Path info = Path.of("/proc/self/fdinfo", descriptor.getFileName().toString());
      Matcher bytes = BYTES.matcher(Files.readString(info));
      return bytes.find() ? Long.parseLong(bytes.group(1)) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
