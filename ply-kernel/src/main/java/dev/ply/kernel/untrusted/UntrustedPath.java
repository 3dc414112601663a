package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file, directory or socket held by a descriptor but not opened (O_PATH): it stays the one that
 * was inspected, even if its path is renamed or replaced.
 */
public final class UntrustedPath implements AutoCloseable {
  private final Path path;
  private final FileDescriptor descriptor;
  private final FileFacts facts;

  /** Whether a symbolic link at the end of a path is followed. */
  public enum Links {
    /** Follows the link. */
    FOLLOWED,
    /** Opens the link itself, which is not a regular file. */
    REFUSED
  }

  private UntrustedPath(Path path, FileDescriptor descriptor, FileFacts facts) {
    this.path = path;
    this.descriptor = descriptor;
    this.facts = facts;
  }

  /**
   * Opens the current target of a path. Symbolic links below {@code /proc/PID/root} lead where they
   * lead that process.
   *
   * @throws UnansweringFileException if a program serves its file system
   */
  public static UntrustedPath open(Path path, Links links) throws IOException {
    boolean follows = links == Links.FOLLOWED;
    Optional<RootedPath> rooted = RootedPath.of(path).or(() -> RootedPath.ofOwnRoot(path));
    FileDescriptor descriptor =
        rooted.isPresent() ? rooted.get().open(follows) : FileCalls.openPath(path, follows);
    try {
      FileFacts unused = RootedPath.requireAnswering(descriptor, path.toString());
      return new UntrustedPath(path, descriptor, FileFacts.of(FileCalls.statx(descriptor)));
    } catch (IOException | RuntimeException e) {
      descriptor.close();
      throw e;
    }
  }

  /**
   * {@return a path to the same file, for those who would resolve symbolic links from this
   * process's root} Below {@code /proc/PID/root} none of its names is one.
   *
   * @throws IOException if there is no such file
   */
  public static Path forOthers(Path path) throws IOException {
    Optional<RootedPath> rooted = RootedPath.of(path);
    return rooted.isPresent() ? rooted.get().withoutLinks() : path;
  }

  /** Returns its status at opening. */
  public FileFacts facts() {
    return facts;
  }

  /** Returns a path to it that is independent of its name, valid until this is closed. */
  public Path path() {
    return FileCalls.path(descriptor);
  }

  /** Opens the file for reading. */
  FileDescriptor openFile() throws IOException {
    return FileCalls.reopen(descriptor, path);
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
