package dev.ply.lang.bcc;

/** Strings and characters as C writes them. */
final class CString {
  private CString() {}

  /** Returns the content of a literal; an unknown escape is the character itself. */
  static String decode(String quoted) {
    StringBuilder text = new StringBuilder();
    int end = quoted.length() - 1;
    for (int i = 1; i < end; i++) {
      char c = quoted.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      c = quoted.charAt(++i);
      text.append(
          switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '0' -> '\0';
            default -> c;
          });
    }
    return text.toString();
  }
}
