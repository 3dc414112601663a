package dev.ply.lang.c.expression;

/** Thrown at the first token that does not fit; its message is that of the diagnostic. */
public final class CSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient CToken token;
  private final String hint;

  private final boolean isUnknownSize;

  public CSyntaxException(CToken token, String message, String hint) {
    this(token, message, hint, false);
  }

  private CSyntaxException(CToken token, String message, String hint, boolean isUnknownSize) {
    super(message, null, false, false);
    this.token = token;
    this.hint = hint;
    this.isUnknownSize = isUnknownSize;
  }

  /** Returns the error of a size that is not known while declarations are read. */
  public static CSyntaxException unknownSize(CToken token, String type) {
    return new CSyntaxException(
        token,
        "the size of \"" + type + "\" is unknown here",
        "declarations know the sizes of types that the script or its headers define; for others,"
            + " write the number",
        true);
  }

  public boolean isUnknownSize() {
    return isUnknownSize;
  }

  public CToken token() {
    return token;
  }

  /** Returns what to do instead; empty if there is nothing to say. */
  public String hint() {
    return hint;
  }
}
