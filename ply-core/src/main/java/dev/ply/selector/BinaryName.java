package dev.ply.selector;

/**
 * How scripts write the name of a program or library. An empty one is not written: that of the
 * traced process is meant.
 */
final class BinaryName {
  private static final String SPECIAL = " \t{},;:";

  private BinaryName() {}

  static boolean canBe(String name) {
    return name.chars().noneMatch(c -> c == '"' || c == '\n' || c == '\r');
  }

  static void require(String name) {
    if (!canBe(name)) {
      throw new IllegalArgumentException("\"" + name + "\" is not a program or library");
    }
  }

  /** Returns a place in a program or library, whose name is in quotes if it needs them. */
  static String join(String name, String place) {
    if (name.isEmpty()) {
      return QuotedPart.isNext(place) ? ":" + place : place;
    }
    return (name.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0) ? '"' + name + '"' : name)
        + ":"
        + place;
  }

  /**
   * Splits a definition after the provider's colon.
   *
   * @param example a complete definition, for the error message
   */
  static Split split(String text, String example) {
    boolean isQuoted = QuotedPart.isNext(text);
    QuotedPart quoted = isQuoted ? quoted(text) : new QuotedPart("", "");
    int colon = text.indexOf(':');
    int end = isQuoted ? text.length() - quoted.rest().length() : colon < 0 ? text.length() : colon;
    String name = isQuoted ? quoted.text() : text.substring(0, end);
    if (text.isEmpty() || (isQuoted && name.isEmpty()) || name.indexOf('"') >= 0) {
      throw new InvalidSelectorException("no program or library is named", "write " + example);
    }
    if (!canBe(name)) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is not a program or library: it has a line break", "write " + example);
    }
    if (end == text.length() && !isQuoted && name.indexOf('/') < 0) {
      return new Split("", text);
    }
    if (end >= text.length() - 1 || text.charAt(end) != ':') {
      throw new InvalidSelectorException(
          "\"" + text + "\" is not a location in a program or library", "write " + example);
    }
    return new Split(name, text.substring(end + 1));
  }

  /** Reads a name in quotes, in which a backslash is one. */
  static QuotedPart quoted(String text) {
    int end = text.indexOf('"', 1);
    return end < 0
        ? QuotedPart.of(text)
        : new QuotedPart(text.substring(1, end), text.substring(end + 1));
  }

  /** A binary's name and the rest of the definition. */
  record Split(String binary, String rest) {}
}
