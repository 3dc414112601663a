package dev.ply.kernel.process;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A shell command that runs one program: variables may be set before it, and its input and output
 * redirected (POSIX.1-2017, Shell Command Language, 2.9.1). The shell can be replaced by the
 * program, which so keeps the shell's PID.
 *
 * @param before the variables and redirections before the program, as written
 * @param program the program's word as written, quotes removed
 * @param from the program and all that follows, as written
 */
record SimpleCommand(String before, String program, String from) {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*", Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  /** Parses a command; empty if it is, or may be, another kind of command. */
  static Optional<SimpleCommand> of(String text) {
    return new Parser(text).parse();
  }

  /** Returns the command with the program in place of the shell. */
  String executed() {
    return before + "exec " + from;
  }

  /** Reads words and redirections until something else comes. */
  private static final class Parser {
    private final String text;
    private int at;

    /** The current word without its quotes. */
    private final StringBuilder word = new StringBuilder();

    Parser(String text) {
      this.text = text;
    }

    Optional<SimpleCommand> parse() {
      Optional<SimpleCommand> found = Optional.empty();
      boolean isRedirected = false;
      while (skipBlanks()) {
        if (peek() == '<' || peek() == '>') {
          if (!redirection()) {
            return Optional.empty();
          }
          isRedirected = true;
          continue;
        }
        int start = at;
        if (!word()) {
          return Optional.empty();
        }
        boolean isDescriptor = (peek() == '<' || peek() == '>') && NUMBER.matcher(word).matches();
        boolean isProgram =
            found.isEmpty()
                && !isRedirected
                && !isDescriptor
                && !ASSIGNMENT.matcher(text.substring(start, at)).matches();
        if (isProgram) {
          found =
              Optional.of(
                  new SimpleCommand(
                      text.substring(0, start), word.toString(), text.substring(start)));
        }
        isRedirected = false;
      }
      return found;
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : 0;
    }

    /** Returns whether anything follows. */
    private boolean skipBlanks() {
      while (peek() == ' ' || peek() == '\t') {
        at++;
      }
      if (peek() == '#' || text.substring(at).isBlank()) {
        at = text.length();
      }
      return at < text.length();
    }

    /** Reads the sign of a redirection; false for those that are followed by a document. */
    private boolean redirection() {
      char sign = peek();
      at++;
      if (sign == '<' && peek() == '<') {
        return false;
      }
      if (peek() == '>' || peek() == '&' || peek() == '|') {
        at++;
      }
      return true;
    }

    /** Reads a word; false if an operator or a command substitution comes. */
    private boolean word() {
      word.setLength(0);
      int start = at;
      while (at < text.length()) {
        char sign = peek();
        switch (sign) {
          case ' ', '\t', '<', '>' -> {
            return at > start;
          }
          case ';', '|', '&', '(', ')', '`', '\n' -> {
            return false;
          }
          case '\'' -> {
            if (!singleQuoted()) {
              return false;
            }
          }
          case '"' -> {
            if (!doubleQuoted()) {
              return false;
            }
          }
          default -> {
            if (!plain()) {
              return false;
            }
          }
        }
      }
      return true;
    }

    private boolean singleQuoted() {
      int end = text.indexOf('\'', at + 1);
      if (end < 0) {
        return false;
      }
      word.append(text, at + 1, end);
      at = end + 1;
      return true;
    }

    private boolean doubleQuoted() {
      at++;
      while (at < text.length() && peek() != '"') {
        if (peek() == '`' || !plain()) {
          return false;
        }
      }
      at++;
      return at <= text.length();
    }

    /** Reads a character, with the one that it escapes; false before a command substitution. */
    private boolean plain() {
      if (peek() == '$' && text.startsWith("(", at + 1)) {
        return false;
      }
      if (peek() == '\\') {
        at++;
      }
      if (at < text.length()) {
        word.append(peek());
        at++;
      }
      return true;
    }
  }
}
