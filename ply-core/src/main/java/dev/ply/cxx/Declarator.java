package dev.ply.cxx;

/**
 * A type as C++ writes it, in two halves: the name of what is declared would be between them, as in
 * {@code void (*} and {@code )(int)}.
 */
record Declarator(String left, String right, Form form) {
  /** The precedence of a star after the left half. */
  enum Form {
    /** Nothing. */
    PLAIN,
    /** Parentheses: this is a function or an array. */
    FUNCTION,
    ARRAY
  }

  static Declarator plain(String text) {
    return new Declarator(text, "", Form.PLAIN);
  }

  /** Returns a pointer, reference or pointer to member. */
  Declarator pointer(String sign) {
    return form == Form.PLAIN
        ? new Declarator(left + sign, right, form)
        : new Declarator(left + " (" + sign.stripLeading(), ")" + right, Form.PLAIN);
  }

  Declarator qualified(String qualifier) {
    return form == Form.PLAIN
        ? new Declarator(left + qualifier, right, form)
        : new Declarator(left, right + qualifier, form);
  }

  String text() {
    return form == Form.FUNCTION ? left + " " + right : left + right;
  }
}
