package dev.ply.selector;

/** Thrown for a string that is not a probe location. */
public final class InvalidSelectorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  /**
   * Creates an exception.
   *
   * @param fault what is wrong with the text
   * @param hint what to write instead
   */
  public InvalidSelectorException(String fault, String hint) {
    super(fault);
    this.hint = hint;
  }

  /** {@return a hint: what to write instead} */
  public String hint() {
    return hint;
  }
}
