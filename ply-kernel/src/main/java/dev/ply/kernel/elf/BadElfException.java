package dev.ply.kernel.elf;

import java.io.IOException;

/** Thrown for a file that is not in the Executable and Linkable Format, or is inconsistent. */
public final class BadElfException extends IOException {
  private static final long serialVersionUID = 1L;

  BadElfException(String message) {
    super(message);
  }
}
