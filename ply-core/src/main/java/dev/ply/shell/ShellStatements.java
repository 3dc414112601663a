package dev.ply.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The simple commands of a shell script, those in substitutions included, as far as quotes and
 * operators tell them apart.
 */
final class ShellStatements {
  /** Stands for a traced value in the text of a script. */
  static final char VALUE = '\uFFFC';

  private static final Pattern PARAMETER = Pattern.compile("\\{?[!#]?(?:[0-9@*]|_(?!\\w))");

  private final String text;
  private final List<List<Word>> statements = new ArrayList<>();
  private int at;

  /**
   * A word.
   *
   * @param text without quotes; of a substitution, nothing
   * @param isValueOrAssigned whether a traced value, if there is one, is the whole word, or all
   *     that follows its first {@code =}
   * @param hasValue whether a traced value is in it, or in a substitution in it
   * @param hasSubstitution whether it is what another command writes, in part
   * @param hasParameter whether it has a parameter of the script, or the last argument of the
   *     command before
   */
  record Word(
      String text,
      boolean isValueOrAssigned,
      boolean hasValue,
      boolean hasSubstitution,
      boolean hasParameter) {
    /** Returns the name of a program without its directory. */
    String program() {
      return text.substring(text.lastIndexOf('/') + 1);
    }
  }

  private ShellStatements(String text) {
    this.text = text;
  }

  /** Returns the words of each command; targets of redirections are none. */
  static List<List<Word>> of(String text) {
    ShellStatements parser = new ShellStatements(text);
    while (parser.at < text.length()) {
      parser.list('\0');
      // A closing parenthesis too many, as in case patterns.
      parser.at++;
    }
    return parser.statements;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  /** Reads commands until {@code end}, and returns whether a traced value is in them. */
  private boolean list(char end) {
    boolean hasValue = false;
    List<Word> words = new ArrayList<>();
    boolean isTarget = false;
    while (at < text.length() && peek() != end && peek() != ')') {
      char sign = peek();
      if (sign == '(') {
        at++;
        hasValue |= list(')');
        at++;
      } else if (sign == '<' || sign == '>') {
        at++;
        isTarget = true;
      } else if (isTarget && (sign == '&' || sign == '|')) {
        at++;
      } else if (";&|\n".indexOf(sign) >= 0) {
        at++;
        add(words);
        words = new ArrayList<>();
      } else if (sign == ' ' || sign == '\t') {
        at++;
      } else if (sign == '#') {
        int line = text.indexOf('\n', at);
        at = line < 0 ? text.length() : line;
      } else {
        Word word = word(end);
        hasValue |= word.hasValue();
        if (!isTarget) {
          words.add(word);
        }
        isTarget = false;
      }
    }
    add(words);
    return hasValue;
  }

  private void add(List<Word> words) {
    if (!words.isEmpty()) {
      statements.add(words);
    }
  }

  private Word word(char end) {
    StringBuilder word = new StringBuilder();
    boolean hasValue = false;
    boolean hasSubstitution = false;
    boolean hasParameter = false;
    char quote = '\0';
    while (at < text.length()) {
      char sign = text.charAt(at);
      if (quote == '\0' && (sign == end || " \t\n;&|<>()".indexOf(sign) >= 0)) {
        break;
      }
      at++;
      if (quote != '\'' && sign == '$' && peek() == '(') {
        at++;
        hasSubstitution = true;
        hasValue |= list(')');
        at++;
      } else if (quote != '\'' && sign == '`') {
        hasSubstitution = true;
        hasValue |= list('`');
        at++;
      } else if (quote != '\'' && sign == '\\') {
        word.append(peek());
        hasValue |= peek() == VALUE;
        at++;
      } else if (sign == quote) {
        quote = '\0';
      } else if (quote == '\0' && (sign == '\'' || sign == '"')) {
        quote = sign;
      } else {
        word.append(sign);
        hasValue |= sign == VALUE;
        hasParameter |= quote != '\'' && sign == '$' && isParameter();
      }
    }
    String all = word.toString();
    String value = all.substring(all.indexOf('=') + 1);
    boolean isWhole = all.equals(String.valueOf(VALUE)) || value.equals(String.valueOf(VALUE));
    return new Word(all, isWhole, hasValue, hasSubstitution, hasParameter);
  }

  private boolean isParameter() {
    return PARAMETER.matcher(text).region(at, text.length()).lookingAt();
  }
}
