package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The IDs of cgroups of version 2, which are the inode numbers of their directories. */
final class Cgroups {
  /** Where all are, unless those of version 1 are beside them. */
  private static final Path ALL = Path.of("/sys/fs/cgroup");

  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  /** Container IDs that are shorter select by chance. */
  private static final int LEAST = 4;

  private Cgroups() {}

  /**
   * Returns the ID of a cgroup.
   *
   * @param path absolute, or below the root of cgroups
   */
  static long ofPath(String path) throws UsageException {
    Path root = root();
    try {
      Path group =
          path.startsWith(ALL + "/") ? Path.of(path) : root.resolve(path.replaceFirst("^/+", ""));
      if (!group.normalize().startsWith(root)) {
        throw new UsageException(
            "--cgroup: "
                + path
                + " is of cgroup v1, by which nothing is traced: give one below "
                + root);
      }
      return id(group);
    } catch (IOException | InvalidPathException e) {
      throw new UsageException("--cgroup: no cgroup " + path + " below " + root);
    }
  }

  /** Returns where cgroups of version 2 are mounted. */
  private static Path root() {
    try (Stream<String> mounts = Files.lines(MOUNTS)) {
      return mounts
          .map(mount -> mount.split(" ", -1))
          .filter(fields -> fields.length > 2 && fields[2].equals("cgroup2"))
          .map(fields -> Path.of(fields[1]))
          .filter(mount -> mount.startsWith(ALL))
          .findFirst()
          .orElse(ALL);
    } catch (IOException | UncheckedIOException e) {
      return ALL;
    }
  }

  /** Returns the ID of the one cgroup in whose name a container's ID begins like that. */
  static long ofContainer(String id) throws UsageException {
    if (id.length() < LEAST || !id.matches("[0-9a-zA-Z_.-]+")) {
      throw new UsageException(
          "--container takes the first " + LEAST + " characters or more of a container's ID");
    }
    List<Path> found = new ArrayList<>();
    Path root = root();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
              if (isOf(group.getFileName().toString(), id)) {
                found.add(group);
                return FileVisitResult.SKIP_SUBTREE;
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
      if (found.size() == 1) {
        return id(found.get(0));
      }
    } catch (IOException e) {
      throw new UsageException("--container: " + root + " cannot be read");
    }
    throw new UsageException(
        found.isEmpty()
            ? "--container: no cgroup below " + root + " is that of a container " + id
            : "--container: "
                + found.size()
                + " containers begin with "
                + id
                + "; write more of it");
  }

  /** Engines name the cgroup by the ID, after a prefix such as {@code docker-}. */
  private static boolean isOf(String group, String id) {
    int at = group.indexOf(id);
    return at == 0 || (at > 0 && !Character.isLetterOrDigit(group.charAt(at - 1)));
  }

  private static long id(Path group) throws IOException {
    return (Long) Files.getAttribute(group, "unix:ino");
  }
}
