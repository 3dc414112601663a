package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import dev.ply.target.ContainerPath;
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
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The directories of cgroups of version 2 as command lines name them. */
final class Cgroups {
  /** Where all are, unless those of version 1 are beside them. */
  private static final Path ALL = Path.of("/sys/fs/cgroup");

  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  /** Container IDs that are shorter select by chance. */
  private static final int LEAST = 4;

  private Cgroups() {}

  /**
   * Returns the directory of a cgroup.
   *
   * @param path absolute, or below the root of cgroups
   */
  static Path ofPath(String path) throws UsageException {
    Path root = root();
    try {
      Path group =
          path.startsWith(ALL + "/") || path.equals(ALL.toString())
              ? Path.of(path)
              : root.resolve(path.replaceFirst("^/+", ""));
      if (!group.normalize().startsWith(root)) {
        throw new UsageException(
            "--cgroup: "
                + path
                + " is of cgroup v1, by which nothing is traced: give one below "
                + root);
      }
      return group.toRealPath();
    } catch (IOException | InvalidPathException e) {
      throw new UsageException("--cgroup: no cgroup " + path + " below " + root + instead());
    }
  }

  /** Returns where cgroups of version 2 are mounted. */
  private static Path root() {
    return mount().orElse(ALL);
  }

  private static Optional<Path> mount() {
    try (Stream<String> mounts = Files.lines(MOUNTS)) {
      return mounts
          .map(mount -> mount.split(" ", -1))
          .filter(fields -> fields.length > 2 && fields[2].equals("cgroup2"))
          .map(fields -> Path.of(fields[1]))
          .filter(mount -> mount.startsWith(ALL))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** Programs know the hierarchy of cgroup v2 only. */
  private static String instead() {
    return mount().isPresent()
        ? ""
        : ": cgroup v2 is not mounted there; --pidns PID selects a container by one of its"
            + " processes";
  }

  /** Returns the cgroup of the one container whose ID begins like that, or that has that name. */
  static Path ofContainer(String name) throws UsageException {
    if (name.isEmpty()) {
      throw new UsageException("--container takes the start of a container's ID, or its name");
    }
    Path root = root();
    List<Path> all = containers(root);
    List<Path> found = all.stream().filter(named(root, name)).toList();
    if (found.isEmpty()) {
      found =
          all.stream().filter(group -> KubernetesName.of(group).equals(Optional.of(name))).toList();
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new UsageException(
        found.isEmpty()
            ? "--container: no cgroup below "
                + root
                + " is that of a container "
                + name
                + instead()
                + "; names are known of systemd-nspawn, LXC and Kubernetes only; docker ps, podman"
                + " ps and crictl ps show IDs, whose first "
                + LEAST
                + " digits or more select one"
            : "--container: "
                + found.size()
                + " containers begin with "
                + name
                + " or are called that; write more of the ID, or give --cgroup "
                + found.get(0));
  }

  private static Predicate<Path> named(Path root, String name) {
    return group -> {
      String identity = path(root, group).identity().orElseThrow();
      return identity.equals(name) || (name.length() >= LEAST && identity.startsWith(name));
    };
  }

  private static ContainerPath path(Path root, Path group) {
    return new ContainerPath("/" + root.relativize(group));
  }

  private static List<Path> containers(Path root) throws UsageException {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
              if (path(root, group).isContainer()) {
                found.add(group);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
      return found;
    } catch (IOException e) {
      throw new UsageException("--container: " + root + " cannot be read");
    }
  }
}
