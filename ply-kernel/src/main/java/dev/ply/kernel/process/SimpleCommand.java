package dev.ply.kernel.process;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A shell command that runs one program: variables may be set before it, its input and output
 * redirected (POSIX.1-2017, Shell Command Language, 2.9.1), and the shell's own settings changed
 * ({@code cd /tmp && ./app}). The shell can be replaced by the program, which so keeps the shell's
 * PID.
 *
 * @param before the settings, variables and redirections before the program, as written
 * @param program the program's word as written, quotes removed
 * @param from the program and all that follows, as written
 */
record SimpleCommand(String before, String program, String from) {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*", Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  /** The shell's own commands that only change what a program after them finds. */
  private static final Set<String> SETTINGS =
      Set.of(":", "cd", "export", "readonly", "set", "ulimit", "umask", "unset");

  /** Parses a command; empty if it is, or may be, another kind of command. */
  static Optional<SimpleCommand> of(String text) {
    return new Parser(text).parse().filter(SimpleCommand::isFoundBefore);
  }

  /** Returns whether the program's name means the same before the command is run. */
  private boolean isFoundBefore() {
    return program.contains("/") || !before.contains("PATH=");
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

    /** The program of the command that is being read. */
    private Optional<SimpleCommand> found = Optional.empty();

    /** Whether the command so far sets variables only. */
    private boolean isAssignment;

    /** Whether the next word is where to redirect to. */
    private boolean isRedirected;

    Parser(String text) {
      this.text = text;
    }

    /** Returns the program of the last command if those before it are settings. */
    Optional<SimpleCommand> parse() {
      while (skipBlanks()) {
        boolean isRead = separator() ? !skipBlanks() || nextCommand() : part();
        if (!isRead) {
          return Optional.empty();
        }
      }
      return found;
    }

    /** Begins another command; false if the one before it is more than a setting. */
    private boolean nextCommand() {
      if (!found.map(command -> SETTINGS.contains(command.program)).orElse(isAssignment)) {
        return false;
      }
      found = Optional.empty();
      isAssignment = false;
      return true;
    }

    /** Reads a word or the sign of a redirection; false if something else comes. */
    private boolean part() {
      if (peek() == '<' || peek() == '>') {
        isRedirected = true;
        return redirection();
      }
      int start = at;
      if (!word()) {
        return false;
      }
      boolean isDescriptor = (peek() == '<' || peek() == '>') && NUMBER.matcher(word).matches();
      if (found.isEmpty() && !isRedirected && !isDescriptor) {
        isAssignment = ASSIGNMENT.matcher(text.substring(start, at)).matches();
        if (!isAssignment) {
          String before = text.substring(0, start);
          found = Optional.of(new SimpleCommand(before, word.toString(), text.substring(start)));
        }
      }
      isRedirected = false;
      return true;
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean isBegun() {
      return found.isPresent() || isAssignment || isRedirected;
    }

    /** Returns whether anything follows. */
    private boolean skipBlanks() {
      while (peek() == ' ' || peek() == '\t' || (peek() == '\n' && !isBegun())) {
        at++;
      }
      if (peek() == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      }
      if (text.substring(at).isBlank()) {
        at = text.length();
      }
      return at < text.length();
    }

    /** Skips what ends a command before another; false if nothing such comes. */
    private boolean separator() {
      int length = peek() == ';' || peek() == '\n' ? 1 : text.startsWith("&&", at) ? 2 : 0;
      at += length;
      return length > 0;
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

    /** Reads a word; false if another operator or a command substitution comes. */
    private boolean word() {
      word.setLength(0);
      int start = at;
      while (at < text.length()) {
        char sign = peek();
        switch (sign) {
          case ' ', '\t', '\n', '<', '>', ';', '&' -> {
            return at > start;
          }
          case '|', '(', ')', '`' -> {
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
        boolean isLineContinued = peek() == '\n' && text.charAt(at - 1) == '\\';
        if (!isLineContinued) {
          word.append(peek());
        }
        at++;
      }
      return true;
    }
  }
}
