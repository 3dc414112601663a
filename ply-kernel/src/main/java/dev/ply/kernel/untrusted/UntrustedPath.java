package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Whatever a path leads to, held by a descriptor but not opened itself (O_PATH): a file, directory
 * or socket stays the one that was inspected, whoever renames or replaces it.
 */
public final class UntrustedPath implements AutoCloseable {
  private final Path path;
  private final FileDescriptor descriptor;
  private final FileFacts facts;

  /** Whether a symbolic link at the end of a path is followed. */
  public enum Links {
    /** What a link leads to is opened. */
    FOLLOWED,
    /** A link itself is opened, and is no file. */
    REFUSED
  }

  private UntrustedPath(Path path, FileDescriptor descriptor, FileFacts facts) {
    this.path = path;
    this.descriptor = descriptor;
    this.facts = facts;
  }

  /** Opens what a path leads to now. */
  public static UntrustedPath open(Path path, Links links) throws IOException {
    FileDescriptor descriptor = FileCalls.openPath(path, links == Links.FOLLOWED);
    try {
      return new UntrustedPath(path, descriptor, FileFacts.of(FileCalls.statx(descriptor)));
    } catch (IOException | RuntimeException e) {
      descriptor.close();
      throw e;
    }
  }

  /** Returns what the kernel reported of it when it was opened. */
  public FileFacts facts() {
    return facts;
  }

  /** Returns a path to it, whatever its name is now; valid until this is closed. */
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
