package dev.ply.kernel.untrusted;

import java.io.IOException;

/** Thrown for a file of a file system that a process serves, which might never answer. */
public final class UnansweringFileException extends IOException {
  private static final long serialVersionUID = 1L;

  UnansweringFileException(String path) {
    super(path + " is on a FUSE file system, which may never answer: copy the file elsewhere");
  }
}
