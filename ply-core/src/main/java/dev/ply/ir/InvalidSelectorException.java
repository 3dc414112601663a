package dev.ply.ir;

/** A text that names no place for a probe. */
public final class InvalidSelectorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  InvalidSelectorException(String fault, String hint) {
    super(fault);
    this.hint = hint;
  }

  /** Returns what to write instead. */
  public String hint() {
    return hint;
  }
}
