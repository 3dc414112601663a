package dev.ply.kernel.procfs;

import dev.ply.target.Cgroups;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cgroups of this system, as cgroupfs shows them: the ID of a cgroup is the inode of its
 * directory. Thread-safe.
 */
public final class CgroupTree implements Cgroups {
  private static final String UNIFIED = "cgroup2";
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  /** The inode of the hierarchy's root. */
  private static final long ROOT = 1;

  /** The maximum number of cgroups that enclose a cgroup namespace. */
  private static final int MOST_HIDDEN = 16;

  /** The maximum number of directories read; beyond it, some cgroups print as numbers. */
  private static final int MOST = 1 << 16;

  /** The minimum time between two reads of the tree for unknown IDs. */
  private static final long REREAD_NANOS = 1_000_000_000L;

  private final Map<Long, String> paths = new HashMap<>();
  private long nextRead = System.nanoTime();

  @Override
  public Optional<Cgroup> at(String directory) {
    try {
      Path path = Path.of(directory);
      FileStore store = Files.getFileStore(path);
      boolean isCgroup = store.type().equals(UNIFIED) || store.type().equals("cgroup");
      return isCgroup && path.isAbsolute() && Files.isDirectory(path)
          ? Optional.of(cgroup(path.toRealPath(), store.type().equals(UNIFIED)))
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      // No such directory.
      return Optional.empty();
    }
  }

  /** What is mounted is the whole hierarchy if its root is the kernel's. */
  private static Cgroup cgroup(Path path, boolean isUnified) throws IOException {
    Path root = path;
    while (root.getParent() != null
        && Files.getAttribute(root.getParent(), "unix:dev").equals(device(path))) {
      root = root.getParent();
    }
    int level = path.getNameCount() - root.getNameCount();
    return new Cgroup(inode(path), isUnified, level, inode(root) == ROOT ? 0 : MOST_HIDDEN);
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev");
  }

  private static long inode(Path path) throws IOException {
    return (long) Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<String> near(String directory) {
    try {
      Path parent = Path.of(directory).getParent();
      while (parent != null && !Files.isDirectory(parent)) {
        parent = parent.getParent();
      }
      if (parent == null || at(parent.toString()).isEmpty()) {
        return unifiedRoot().map(root -> List.of(root.toString())).orElse(List.of());
      }
      try (Stream<Path> files = Files.list(parent)) {
        return files
            .filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
            .map(Path::toString)
            .sorted()
            .toList();
      }
    } catch (IOException | InvalidPathException e) {
      // No suggestions.
      return List.of();
    }
  }

  @Override
  public synchronized Optional<String> path(long id) {
    if (!paths.containsKey(id) && System.nanoTime() - nextRead >= 0) {
      read();
      nextRead = System.nanoTime() + REREAD_NANOS;
    }
    return Optional.ofNullable(paths.get(id));
  }

  private void read() {
    try {
      Optional<Path> root = unifiedRoot();
      if (root.isPresent()) {
        Files.walkFileTree(root.get(), new Reader(root.get()));
      }
    } catch (IOException | InvalidPathException e) {
      // Unreadable ones print as numbers.
      return;
    }
  }

  private static Optional<Path> unifiedRoot() throws IOException {
    try (Stream<String> mounts = Files.lines(MOUNTS)) {
      return mounts
          .map(mount -> mount.split(" ", -1))
          .filter(fields -> fields.length > 2 && fields[2].equals(UNIFIED))
          .map(fields -> Path.of(fields[1]))
          .findFirst();
    }
  }

  private final class Reader extends SimpleFileVisitor<Path> {
    private final Path root;
    private int directories;

    Reader(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      paths.put(inode(directory), "/" + root.relativize(directory));
      return ++directories < MOST ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException reason) {
      // Cgroups can be removed concurrently.
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException reason) {
      return FileVisitResult.CONTINUE;
    }
  }
}
