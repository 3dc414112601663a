package dev.ply.diagnostic;

import java.util.Locale;

/** How grave a diagnostic is. */
public enum Severity {
  /** The script cannot run. */
  ERROR,
  /** The script runs, perhaps not as meant. */
  WARNING,
  /** Additional information. */
  NOTE;

  /** Returns the word that people see: {@code error}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
