package dev.ply.rust;

/** The characters of a Rust symbol, read with a bounded number of steps. */
final class RustText {
  private static final int MOST_STEPS = 20_000;

  /** Of a number of 64 bits. */
  private static final int MOST_DIGITS = 11;

  private final String text;
  private int position = 2;
  private int steps;

  RustText(String text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return position >= text.length();
  }

  int position() {
    return position;
  }

  void goTo(int other) {
    position = other;
  }

  /** Returns the next character, NUL at the end. */
  char peek() {
    if (++steps > MOST_STEPS) {
      throw new UnknownFormException();
    }
    return position < text.length() ? text.charAt(position) : '\0';
  }

  char next() {
    char c = peek();
    if (c == '\0') {
      throw new UnknownFormException();
    }
    position++;
    return c;
  }

  boolean accept(char c) {
    boolean isThere = peek() == c;
    position += isThere ? 1 : 0;
    return isThere;
  }

  /**
   * Reads a number in base 62 and an underscore: 0 without digits, else one more. It has 64 bits,
   * unsigned, as hashes have.
   */
  long base62() {
    long value = 0;
    int digits = 0;
    while (!accept('_')) {
      char c = next();
      int digit;
      if (c >= '0' && c <= '9') {
        digit = c - '0';
      } else if (c >= 'a' && c <= 'z') {
        digit = c - 'a' + 10;
      } else if (c >= 'A' && c <= 'Z') {
        digit = c - 'A' + 36;
      } else {
        throw new UnknownFormException();
      }
      if (++digits > MOST_DIGITS) {
        throw new UnknownFormException();
      }
      value = value * 62 + digit;
    }
    return digits > 0 ? value + 1 : 0;
  }

  /** Reads a base-62 number after a letter: 0 without the letter, else one more. */
  long optional62(char letter) {
    return accept(letter) ? base62() + 1 : 0;
  }

  /** Reads a name without its disambiguator. */
  String identifier() {
    boolean isPunycode = accept('u');
    int length = decimal();
    boolean unused = accept('_');
    if (length > text.length() - position) {
      throw new UnknownFormException();
    }
    position += length;
    String name = text.substring(position - length, position);
    return isPunycode ? Punycode.decode(name) : name;
  }

  private int decimal() {
    char first = next();
    if (first < '0' || first > '9') {
      throw new UnknownFormException();
    }
    int value = first - '0';
    while (first != '0' && peek() >= '0' && peek() <= '9') {
      value = value * 10 + next() - '0';
      if (value > text.length()) {
        throw new UnknownFormException();
      }
    }
    return value;
  }

  /** Reads hexadecimal digits and an underscore. */
  String hex() {
    int start = position;
    while (!accept('_')) {
      if (Character.digit(next(), 16) < 0) {
        throw new UnknownFormException();
      }
    }
    return text.substring(start, position - 1);
  }
}
