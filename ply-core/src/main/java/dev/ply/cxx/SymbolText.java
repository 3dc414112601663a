package dev.ply.cxx;

/** The characters of a symbol, read from left to right with a bounded number of steps. */
final class SymbolText {
  private static final int MOST_STEPS = 20_000;

  private final String text;
  private int position = 2;
  private int steps;

  SymbolText(String text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return position >= text.length();
  }

  /** Returns the next character, NUL at the end. */
  char peek() {
    return peek(0);
  }

  char peek(int ahead) {
    if (++steps > MOST_STEPS) {
      throw new Demangler.UnknownForm();
    }
    return position + ahead < text.length() ? text.charAt(position + ahead) : '\0';
  }

  char next() {
    char c = peek();
    position++;
    return c;
  }

  boolean accept(String word) {
    boolean isThere = text.startsWith(word, position);
    position += isThere ? word.length() : 0;
    return isThere;
  }

  void require(String word) {
    if (!accept(word)) {
      throw new Demangler.UnknownForm();
    }
  }

  boolean isDigit() {
    return peek() >= '0' && peek() <= '9';
  }

  /** Reads a decimal number. */
  int number() {
    if (!isDigit()) {
      throw new Demangler.UnknownForm();
    }
    int value = 0;
    while (isDigit()) {
      value = value * 10 + (next() - '0');
      if (value > 1 << 20) {
        throw new Demangler.UnknownForm();
      }
    }
    return value;
  }

  /** Reads an optional number and an underscore, as 0 without the number, else one more. */
  int sequence(int base) {
    int value = 0;
    boolean isGiven = false;
    while (peek() != '_') {
      int digit = Character.digit(next(), base);
      if (digit < 0 || value > 1 << 16) {
        throw new Demangler.UnknownForm();
      }
      value = value * base + digit;
      isGiven = true;
    }
    require("_");
    return isGiven ? value + 1 : 0;
  }

  String take(int length) {
    if (length > text.length() - position) {
      throw new Demangler.UnknownForm();
    }
    position += length;
    return text.substring(position - length, position);
  }
}
