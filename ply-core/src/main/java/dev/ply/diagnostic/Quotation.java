package dev.ply.diagnostic;

/** Text of a script as messages quote it. */
public final class Quotation {
  /** The maximum length, in code points. */
  private static final int LONGEST = 40;

  private Quotation() {}

  /**
   * {@return the start of a text, up to 40 characters; a cut one ends with an ellipsis}
   *
   * @param text of a script
   */
  public static String shortened(String text) {
    return text.codePointCount(0, text.length()) > LONGEST
        ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…"
        : text;
  }
}
