package dev.ply.kernel.tracefs;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The mount point of tracefs. */
public final class Tracefs {
  private static final Path USUAL = Path.of("/sys/kernel/tracing");
  private static final List<Path> PLACES = List.of(USUAL, Path.of("/sys/kernel/debug/tracing"));

  private static final List<Capability> READING = List.of(Capability.CAP_DAC_READ_SEARCH);

  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  /** A private mount, released with this process. */
  private static Optional<FileDescriptor> own = Optional.empty();

  private final Path root;

  private Tracefs(Path root) {
    this.root = root;
  }

  /**
   * Finds tracefs; if it is not mounted, mounts it privately for this process.
   *
   * @throws UnreadableTargetException if neither is possible
   */
  public static Tracefs open() {
    for (Path place : PLACES) {
      if (isMounted(place)) {
        return at(place);
      }
    }
    return at(mounted(MOUNTS).orElseGet(Tracefs::ofOurOwn));
  }

  /** Returns another mount point, from a list of mounts of procfs. */
  static Optional<Path> mounted(Path mounts) {
    try {
      return Files.readAllLines(mounts, StandardCharsets.ISO_8859_1).stream()
          .map(line -> line.split(" ", -1))
          .filter(mount -> mount.length > 2 && mount[2].equals("tracefs"))
          .map(mount -> Path.of(mount[1]))
          .filter(Tracefs::isMounted)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static synchronized Path ofOurOwn() {
    if (!Files.isDirectory(USUAL)) {
      throw new UnreadableTargetException(
          "this kernel was built without tracing (CONFIG_TRACING): no " + USUAL);
    }
    if (!isListable(USUAL)) {
      throw new UnreadableTargetException(
          USUAL
              + " cannot be read by this user, which requires CAP_DAC_READ_SEARCH: "
              + CapabilitySet.ofThisProcess().remedy(READING)
              + "; or let root open it to a group: mount -o remount,gid=GROUP,mode=750 "
              + USUAL);
    }
    if (own.isEmpty()) {
      try {
        own = Optional.of(SystemCalls.mountNowhere("tracefs"));
      } catch (KernelException e) {
        throw new UnreadableTargetException(
            "tracefs is not mounted, and this process may not mount it ("
                + e.errno().clause()
                + "): as root, run mount -t tracefs tracefs "
                + USUAL);
      }
    }
    return Path.of("/proc/self/fd", Integer.toString(own.get().number()));
  }

  /** Uses a directory in place of tracefs, for tests. */
  public static Tracefs at(Path root) {
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

  /** Not Files.isReadable, which uses access(2) and so ignores capabilities. */
  private static boolean isListable(Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return entries.iterator().hasNext() || Files.isDirectory(directory);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isMounted(Path place) {
    return Files.isDirectory(place.resolve("events"));
  }
}
