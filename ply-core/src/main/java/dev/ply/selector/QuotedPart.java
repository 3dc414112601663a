package dev.ply.selector;

/**
 * The start of a text: what stands in double quotes, where a backslash takes the next character
 * literally.
 *
 * @param text what the quotes contain
 * @param rest what follows them
 */
record QuotedPart(String text, String rest) {
  private static final String SPECIAL = " \t\r\n{},/;:\"+\\";

  /** Returns whether a text begins with a quotation mark. */
  static boolean isNext(String text) {
    return text.startsWith("\"");
  }

  /**
   * Reads a text that begins with a quotation mark.
   *
   * @throws InvalidSelectorException if there is no second one
   */
  static QuotedPart of(String text) {
    StringBuilder part = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return new QuotedPart(part.toString(), text.substring(i + 1));
      }
      if (c == '\\' && i + 1 < text.length()) {
        c = text.charAt(++i);
      }
      part.append(c);
    }
    throw new InvalidSelectorException(
        "the quotation mark before " + text.substring(1) + " is not closed",
        "write both, as in uprobe:./server:cpp:\"Server::run*\"");
  }

  /** Returns whether a name can stand in a definition only in quotes. */
  static boolean isNeeded(String name) {
    return name.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  /** Returns a name in quotes. */
  static String quote(String name) {
    return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns a name in quotes if it needs them. */
  static String quoteIfNeeded(String name) {
    return isNeeded(name) ? quote(name) : name;
  }
}
