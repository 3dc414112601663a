package dev.ply.kernel.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where JNA can unpack its native library: a directory that this user can write, on a file system
 * that is not mounted {@code noexec}. JNA itself tries the user's cache, then the temporary
 * directory if the cache cannot be written.
 */
final class NativeDirectory {
  /** Directories of most systems, where the user's own cannot be used. */
  private static final List<String> USUAL = List.of("/tmp", "/var/tmp", "/dev/shm", "/run");

  private final MountFlags mounts;
  private final Path preferred;
  private final List<Path> others;
  private final List<String> reasons = new ArrayList<>();

  /**
   * Creates a search.
   *
   * @param preferred where JNA unpacks if nothing is done
   * @param others tried in order
   */
  NativeDirectory(MountFlags mounts, Path preferred, List<Path> others) {
    this.mounts = mounts;
    this.preferred = preferred;
    this.others = List.copyOf(others);
  }

  /** Returns the search in the directories of this process. */
  static NativeDirectory ofThisProcess() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    Path cache =
        variable("XDG_CACHE_HOME")
            .orElseGet(() -> Path.of(System.getProperty("user.home", "/"), ".cache"));
    Path unpacked = cache.resolve("JNA").resolve("temp");
    Set<Path> others = new LinkedHashSet<>();
    others.add(temporary);
    variable("TMPDIR").ifPresent(others::add);
    variable("XDG_RUNTIME_DIR").ifPresent(others::add);
    USUAL.forEach(usual -> others.add(Path.of(usual)));
    return new NativeDirectory(
        MountFlags.ofThisProcess(),
        isCreated(unpacked) ? unpacked : temporary,
        List.copyOf(others));
  }

  private static boolean isCreated(Path directory) {
    try {
      Files.createDirectories(directory);
      return Files.isWritable(directory);
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<Path> variable(String name) {
    try {
      return Optional.ofNullable(System.getenv(name))
          .filter(value -> !value.isBlank())
          .map(Path::of);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns whether JNA needs no other directory than its own. */
  boolean isPreferredUsable() {
    return isUsable(preferred);
  }

  /**
   * Creates a directory of this process alone in the first directory that can be used; empty if
   * missing, with {@link #reasons}.
   */
  Optional<Path> create() {
    for (Path other : others) {
      if (isUsable(other)) {
        try {
          return Optional.of(
              Files.createTempDirectory(
                  other,
                  "ply-",
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException | UnsupportedOperationException e) {
          reasons.add(other + " cannot be written");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns why directories cannot be used, in order. */
  List<String> reasons() {
    return List.copyOf(new LinkedHashSet<>(reasons));
  }

  private boolean isUsable(Path directory) {
    if (!Files.isDirectory(directory)) {
      // The usual ones need not exist.
      return false;
    }
    if (!Files.isWritable(directory)) {
      reasons.add(directory + " cannot be written");
      return false;
    }
    if (mounts.isNoExec(directory)) {
      reasons.add(directory + " is mounted noexec");
      return false;
    }
    return true;
  }
}
