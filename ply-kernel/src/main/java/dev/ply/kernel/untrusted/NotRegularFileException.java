package dev.ply.kernel.untrusted;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown for a directory, FIFO, device, socket or, where links are not followed, a symbolic link.
 */
public final class NotRegularFileException extends IOException {
  private static final long serialVersionUID = 1L;

  NotRegularFileException(Path path) {
    super(path + " is not a regular file");
  }
}
