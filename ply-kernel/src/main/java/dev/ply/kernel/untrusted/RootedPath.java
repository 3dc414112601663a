package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.result.Errno;
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
 * A path below a directory that is the root of a process: absolute symbolic links and {@code ..}
 * lead where they lead that process, not out of the directory. Resolved name by name on every
 * kernel, as openat2(2) with RESOLVE_IN_ROOT does.
 *
 * @param root the directory
 * @param below names, separated by slashes
 */
record RootedPath(Path root, String below) {
  private static final Pattern OF_PROCESS =
      Pattern.compile("(/proc/(?:self|[0-9]+)/root)/(.+)", Pattern.DOTALL);

  /** As many as the kernel follows. */
  private static final int MOST_LINKS = 40;

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

  /** Walks from directory to directory, all of which stay open for the way back. */
  private static final class Walk implements AutoCloseable {
    private final String path;
    private final List<FileDescriptor> opened = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Deque<String> left = new ArrayDeque<>();
    private int links;

    Walk(RootedPath path) throws IOException {
      this.path = path.root() + "/" + path.below();
      opened.add(FileCalls.openPath(path.root(), /* follows= */ true));
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
      if (follows && FileFacts.of(FileCalls.statx(next)).isLink()) {
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
