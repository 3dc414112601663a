package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.name.Errno;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A path below a directory, usually the root of a process: absolute symbolic links and {@code ..}
 * are resolved as in that process, never out of the directory. Done name by name on every kernel,
 * as openat2(2) with RESOLVE_IN_ROOT does; ends where a program serves the file system, which might
 * never answer, before asking it.
 *
 * @param root the directory
 * @param below names, separated by slashes
 */
record RootedPath(Path root, String below) {
  private static final Pattern OF_PROCESS =
      Pattern.compile("(/proc/(?:self|[0-9]+)/root)/(.+)", Pattern.DOTALL);

  private static final Path OWN_ROOT = Path.of("/");
  private static final String PROC = "proc";

  /** The kernel's limit of links in one path. */
  private static final int MOST_LINKS = 40;

  /** Returns a path from this process's root; empty for those that lead through procfs. */
  static Optional<RootedPath> ofOwnRoot(Path path) {
    String absolute = path.toAbsolutePath().toString();
    return absolute.startsWith("/proc/") || absolute.equals("/")
        ? Optional.empty()
        : Optional.of(new RootedPath(OWN_ROOT, absolute.substring(1)));
  }

  /** Returns the parts of a path through {@code /proc/PID/root}; empty for all others. */
  static Optional<RootedPath> of(Path path) {
    Matcher parts = OF_PROCESS.matcher(path.toString());
    return parts.matches()
        ? Optional.of(new RootedPath(Path.of(parts.group(1)), parts.group(2)))
        : Optional.empty();
  }

  /**
   * An open file.
   *
   * @param names those that lead from the root to it, none of them a link
   */
  record Resolved(FileDescriptor descriptor, List<String> names) {}

  /**
   * Opens the file with O_PATH.
   *
   * @param follows whether a symbolic link at the end is followed
   */
  FileDescriptor open(boolean follows) throws IOException {
    return resolve(follows).descriptor();
  }

  /** Returns a path to the same file in which nothing is a link below the root. */
  Path withoutLinks() throws IOException {
    Resolved resolved = resolve(/* follows= */ true);
    resolved.descriptor().close();
    try {
      return root.resolve(String.join("/", resolved.names()));
    } catch (InvalidPathException e) {
      throw new IOException(root + "/" + below + " leads to a name that cannot be decoded", e);
    }
  }

  private Resolved resolve(boolean follows) throws IOException {
    try (Walk walk = new Walk(this)) {
      return walk.end(follows);
    }
  }

  /** Returns the status of an open file as far as it is known without asking the file system. */
  static FileFacts requireAnswering(FileDescriptor opened, String path) throws IOException {
    FileFacts facts = FileFacts.of(FileCalls.cachedStatx(opened));
    boolean isServed =
        MountedTypes.of(facts.device(), path)
            .filter(type -> type.equals("fuse") || type.startsWith("fuse."))
            .isPresent();
    if (isServed) {
      throw new UnansweringFileException(path);
    }
    return facts;
  }

  /** Walks from directory to directory, all of which stay open for the way back. */
  private static final class Walk implements AutoCloseable {
    private final String path;
    private final boolean isOwnRoot;
    private final List<FileDescriptor> opened = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Deque<String> left = new ArrayDeque<>();
    private int links;

    Walk(RootedPath path) throws IOException {
      this.isOwnRoot = path.root().equals(OWN_ROOT);
      this.path = (isOwnRoot ? "" : path.root()) + "/" + path.below();
      opened.add(FileCalls.openPath(path.root(), /* follows= */ true));
      try {
        requireAnswering(opened.get(0), this.path);
      } catch (IOException e) {
        close();
        throw e;
      }
      add(path.below());
    }

    Resolved end(boolean follows) throws IOException {
      while (!left.isEmpty()) {
        String name = left.pop();
        if (name.equals("..")) {
          leaveDirectory();
        } else {
          enter(name, follows || !left.isEmpty());
        }
      }
      FileDescriptor last = opened.remove(opened.size() - 1);
      return new Resolved(last, List.copyOf(names));
    }

    private void add(String more) {
      List<String> parts =
          Stream.of(more.split("/", -1))
              .filter(part -> !part.isEmpty() && !part.equals("."))
              .toList();
      for (int i = parts.size() - 1; i >= 0; i--) {
        left.push(parts.get(i));
      }
    }

    private void leaveDirectory() {
      if (!names.isEmpty()) {
        names.remove(names.size() - 1);
        opened.remove(opened.size() - 1).close();
      }
    }

    private void enter(String name, boolean follows) throws IOException {
      FileDescriptor next =
          FileCalls.openPathIn(opened.get(opened.size() - 1), TextBytes.encode(name), path);
      opened.add(next);
      names.add(name);
      FileFacts facts = requireAnswering(next, path);
      if (!follows || !facts.isLink()) {
        return;
      }
      if (isOwnRoot && MountedTypes.of(facts.device(), path).filter(PROC::equals).isPresent()) {
        // What procfs has to say of a link is not always a path.
        FileDescriptor target =
            FileCalls.openPath(
                FileCalls.pathIn(opened.get(opened.size() - 2), name), /* follows= */ true);
        opened.remove(opened.size() - 1).close();
        opened.add(target);
        requireAnswering(target, path);
      } else {
        if (++links > MOST_LINKS) {
          throw new IOException(path + ": " + Errno.ELOOP.clause());
        }
        String target = TextBytes.decode(FileCalls.readLink(next));
        leaveDirectory();
        while (target.startsWith("/") && !names.isEmpty()) {
          leaveDirectory();
        }
        add(target);
      }
    }

    @Override
    public void close() {
      opened.forEach(FileDescriptor::close);
    }
  }
}
