package dev.ply.kernel.elf;

import java.io.IOException;

/** A file that is not in the Executable and Linkable Format, or contradicts itself. */
public final class BadElfException extends IOException {
  private static final long serialVersionUID = 1L;

  BadElfException(String message) {
    super(message);
  }
}
