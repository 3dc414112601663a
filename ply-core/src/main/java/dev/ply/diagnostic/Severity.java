package dev.ply.diagnostic;

import java.util.Locale;

/** The severity of a diagnostic. */
public enum Severity {
  /** The script cannot run. */
  ERROR,
  /** The script runs, perhaps not as meant. */
  WARNING,
  /** Additional information. */
  NOTE;

  /** {@return the label in messages: {@code error}} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
