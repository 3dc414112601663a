package dev.ply.kernel.tracefs;

import dev.ply.kernel.Errno;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.UnreadableTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The directory where tracefs is mounted. */
public final class Tracefs {
  private static final Path USUAL = Path.of("/sys/kernel/tracing");
  private static final List<Path> PLACES = List.of(USUAL, Path.of("/sys/kernel/debug/tracing"));

  private final Path root;

  private Tracefs(Path root) {
    this.root = root;
  }

  /**
   * Finds tracefs, or mounts it on {@code /sys/kernel/tracing}.
   *
   * @throws UnreadableTargetException if neither is possible
   */
  public static Tracefs open() {
    Optional<Path> mounted = PLACES.stream().filter(Tracefs::isMounted).findFirst();
    if (mounted.isPresent()) {
      return at(mounted.get());
    }
    if (!Files.isDirectory(USUAL)) {
      throw new UnreadableTargetException(
          "this kernel was built without tracing (CONFIG_TRACING): there is no " + USUAL);
    }
    if (!Files.isReadable(USUAL)) {
      throw new UnreadableTargetException(
          USUAL + " is closed to this user: run as root to read tracepoints");
    }
    Errno errno = SystemCalls.tryMount("tracefs", USUAL);
    if (!errno.isSuccess()) {
      throw new UnreadableTargetException(
          "tracefs is not mounted, and mounting it on "
              + USUAL
              + " failed ("
              + errno.message()
              + "): run mount -t tracefs tracefs "
              + USUAL);
    }
    return at(USUAL);
  }

  /** Takes a directory that looks like tracefs. */
  static Tracefs at(Path root) {
    return new Tracefs(root);
  }

  /** Returns the directory. */
  public Path root() {
    return root;
  }

  /** Returns a file in it. */
  public Path file(String first, String... more) {
    return root.resolve(Path.of(first, more));
  }

  @Override
  public String toString() {
    return root.toString();
  }

  private static boolean isMounted(Path place) {
    return Files.isDirectory(place.resolve("events"));
  }
}
