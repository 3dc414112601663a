package dev.ply.ir;

/** How scripts write the name of a program or library. */
final class BinaryName {
  private static final String SPECIAL = " \t{},;:";

  private BinaryName() {}

  static void require(String name) {
    if (name.isEmpty() || name.chars().anyMatch(c -> c == '"' || c == '\n' || c == '\r')) {
      throw new IllegalArgumentException("\"" + name + "\" names no program or library");
    }
  }

  /** Returns the name in quotes if it needs them. */
  static String quoted(String name) {
    return name.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0) ? '"' + name + '"' : name;
  }

  /**
   * Splits a definition after the provider's colon.
   *
   * @param example a complete definition, for the error message
   */
  static Split split(String text, String example) {
    boolean isQuoted = text.startsWith("\"");
    int end = isQuoted ? text.indexOf('"', 1) + 1 : text.indexOf(':');
    if (end <= 0) {
      end = text.length();
    }
    String name = isQuoted && end > 1 ? text.substring(1, end - 1) : text.substring(0, end);
    if (name.isEmpty() || name.indexOf('"') >= 0) {
      throw new InvalidSelectorException("no program or library is named", "write " + example);
    }
    if (end >= text.length() - 1 || text.charAt(end) != ':') {
      throw new InvalidSelectorException(
          "\"" + text + "\" is no location in a program or library", "write " + example);
    }
    return new Split(name, text.substring(end + 1));
  }

  /** A binary's name and the rest of the definition. */
  record Split(String binary, String rest) {}
}
