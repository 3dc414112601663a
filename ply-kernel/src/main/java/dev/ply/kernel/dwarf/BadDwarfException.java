package dev.ply.kernel.dwarf;

import java.io.IOException;

/** Thrown for debug information that is truncated, inconsistent or of an unknown version. */
public final class BadDwarfException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong. */
  public BadDwarfException(String message) {
    super(message);
  }
}
