package dev.ply.result;

import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.result.PrintfFormat.Literal;
import dev.ply.result.PrintfFormat.Piece;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * The shell script that a format of {@code system} is: each conversion is a quoted positional
 * parameter, so that the shell never parses a value.
 *
 * <p>How a parameter is quoted follows the quotes of the format: {@code "${1}"} outside of quotes,
 * {@code ${1}} in double quotes, {@code '"${1}"'} in single quotes. Whatever the format is, a value
 * is expanded and not parsed; a wrong guess could only split it into words.
 */
public final class ShellScript {
  /** Constructs that parse a string as code once more. */
  private static final Pattern EVALUATION =
      Pattern.compile(
          "\\(\\(|\\[\\[|\\$\\["
              + "|(?<![\\w./-])(?:eval|let|trap|alias|source|declare|typeset|unset|read|ssh|su)\\b"
              + "|sh\\s+(?:-\\w+\\s+)*-\\w*c\\b");

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
   * {@return whether a format has a construct that could parse its values as shell code again}
   *
   * @param format of a call of {@code system}
   */
  public static boolean evaluates(PrintfFormat format) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : format.pieces()) {
      text.append(piece instanceof Literal literal ? literal.text() : "%");
    }
    return EVALUATION.matcher(text).find();
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
