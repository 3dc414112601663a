package dev.ply.kernel.learn;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A directory of files that only this user can list, read and write. Several processes may use it:
 * files appear whole, and are replaced whole.
 */
final class OwnDirectory {
  private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The permission bits of the group and of all others. */
  private static final int ALL = 077;

  private static final int WRITING = 022;

  private final Path path;
  private final long mostBytes;

  /** A file and when it was used last. */
  private record Used(Path file, FileTime time, long size) {}

  private OwnDirectory(Path path, long mostBytes) {
    this.path = path;
    this.mostBytes = mostBytes;
  }

  /**
   * Opens a directory, which is created, as its parent is; empty if it cannot be, if either is a
   * symbolic link, or if others own it, may use it, or may replace it.
   *
   * @param mostBytes the size of all files; those used longest ago are removed
   */
  static Optional<OwnDirectory> open(Path parent, String name, long mostBytes) {
    Path path = parent.resolve(name);
    try {
      create(parent);
      create(path);
      return isOwn(path, ALL) && isOwn(parent, WRITING)
          ? Optional.of(new OwnDirectory(path, mostBytes))
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      // No home directory, a file system that is full or read-only.
      return Optional.empty();
    }
  }

  private static void create(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(path, DIRECTORY);
    }
  }

  /** Returns whether others have none of some permissions. */
  private static boolean isOwn(Path path, int permissions) throws IOException {
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        && Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(self)
        && (mode & permissions) == 0;
  }

  /** Reads a file; empty if missing. It is then the one used last. */
  Optional<byte[]> read(String name) {
    Path file = path.resolve(name);
    try {
      BasicFileAttributes facts =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!facts.isRegularFile() || facts.size() > mostBytes) {
        return Optional.empty();
      }
      byte[] content = Files.readAllBytes(file);
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      return Optional.of(content);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Writes a file, or not if that fails: nothing depends on it. */
  void write(String name, byte[] content) {
    try {
      makeRoom(content.length);
      Path written = Files.createTempFile(path, "new", null, FILE);
      try {
        Files.write(written, content);
        Files.move(written, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      // Full, read-only, or something that is no file has the name.
      return;
    }
  }

  private void makeRoom(long size) throws IOException {
    List<Used> files = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(path)) {
      for (Path file : listed) {
        used(file).ifPresent(files::add);
      }
    }
    files.sort(Comparator.comparing(Used::time));
    long total = size + files.stream().mapToLong(Used::size).sum();
    for (int i = 0; i < files.size() && total > mostBytes; i++) {
      Files.deleteIfExists(files.get(i).file());
      total -= files.get(i).size();
    }
  }

  /** Another process may have removed it meanwhile. */
  private static Optional<Used> used(Path file) {
    try {
      BasicFileAttributes facts =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(new Used(file, facts.lastModifiedTime(), facts.size()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
