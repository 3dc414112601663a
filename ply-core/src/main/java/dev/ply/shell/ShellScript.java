package dev.ply.shell;

import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.text.PrintfFormat.Literal;
import dev.ply.text.PrintfFormat.Piece;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The shell script that a format of {@code system} is: each conversion is a quoted positional
 * parameter, so that the shell never parses a value.
 *
 * <p>How a parameter is quoted follows the quotes of the format: {@code "${1}"} outside of quotes,
 * {@code ${1}} in double quotes, {@code '"${1}"'} in single quotes. Whatever the format is, a value
 * is expanded and not parsed; a wrong guess could only split it into words.
 */
public final class ShellScript {
  private enum State {
    PLAIN,
    PARENTHESIS,
    BACKQUOTE,
    SINGLE,
    DOUBLE
  }

  private final StringBuilder script = new StringBuilder();
  private final Deque<State> states = new ArrayDeque<>();
  private boolean isEscaped;

  private ShellScript() {
    states.push(State.PLAIN);
  }

  /**
   * {@return the script of a format; conversion n is parameter n, counted from 1}
   *
   * @param format of a call of {@code system}
   */
  public static String of(PrintfFormat format) {
    ShellScript result = new ShellScript();
    int parameter = 1;
    for (Piece piece : format.pieces()) {
      if (piece instanceof Literal literal) {
        literal.text().chars().forEach(character -> result.append((char) character));
      } else {
        result.appendParameter(parameter++);
      }
    }
    return result.script.toString();
  }

  /**
   * {@return what in a format could run its values as code, as written there} Empty if the values
   * reach programs as arguments and environment variables only, as far as the format shows.
   *
   * @param format of a call of {@code system}
   */
  public static Optional<String> danger(PrintfFormat format) {
    return ShellCheck.danger(format);
  }

  /**
   * {@return whether a conversion can show other characters than those of numbers}
   *
   * @param conversion of a format
   */
  public static boolean isFreeText(Conversion conversion) {
    return conversion.kind() != Conversion.Kind.INTEGER || conversion.letter() == 'c';
  }

  private void appendParameter(int number) {
    if (isEscaped) {
      // It would escape our quote; a quoted value needs no escape.
      script.setLength(script.length() - 1);
      isEscaped = false;
    }
    String parameter = "${" + number + "}";
    switch (states.element()) {
      case DOUBLE -> script.append(parameter);
      case SINGLE -> script.append("'\"").append(parameter).append("\"'");
      case PLAIN, PARENTHESIS, BACKQUOTE -> script.append('"').append(parameter).append('"');
    }
  }

  private void append(char character) {
    script.append(character);
    State state = states.element();
    if (isEscaped) {
      isEscaped = false;
    } else if (state == State.SINGLE) {
      popAt(character == '\'');
    } else if (character == '\\') {
      isEscaped = true;
    } else if (character == '(' && (state != State.DOUBLE || isAfterDollar())) {
      states.push(State.PARENTHESIS);
    } else if (character == ')') {
      popAt(state == State.PARENTHESIS);
    } else if (character == '`') {
      toggle(State.BACKQUOTE);
    } else if (character == '"') {
      toggle(State.DOUBLE);
    } else if (character == '\'' && state != State.DOUBLE) {
      states.push(State.SINGLE);
    }
  }

  private boolean isAfterDollar() {
    return script.length() > 1 && script.charAt(script.length() - 2) == '$';
  }

  private void toggle(State state) {
    if (states.element() == state) {
      states.pop();
    } else {
      states.push(state);
    }
  }

  private void popAt(boolean isEnd) {
    if (isEnd) {
      states.pop();
    }
  }
}
