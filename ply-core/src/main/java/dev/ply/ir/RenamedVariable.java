package dev.ply.ir;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A variable whose name differs from what the script says, since each call of a macro or function
 * has variables of its own. Messages show what the script says.
 *
 * @param name in the clause, which no other variable of the script has: {@code $x_1}
 * @param written in the script: {@code $x}
 * @param noun for messages: {@code variable "$x"}
 */
public record RenamedVariable(String name, String written, String noun) {
  /**
   * {@return a variable of a macro or function}
   *
   * @param name in the clause
   * @param written in the script
   */
  public static RenamedVariable of(String name, String written) {
    return new RenamedVariable(name, written, "variable \"" + written + "\"");
  }

  /**
   * {@return the variable that holds what a function returns}
   *
   * @param name in the clause
   * @param function the function's name
   */
  public static RenamedVariable result(String name, String function) {
    return new RenamedVariable(name, "$" + function, "the result of \"" + function + "\"");
  }

  /**
   * {@return a message or hint as the script's author understands it}
   *
   * @param message that may name the variable
   */
  public String in(String message) {
    return Pattern.compile("(?<=[$@])" + Pattern.quote(name.substring(1)) + "(?!\\w)")
        .matcher(message.replace("variable \"" + name + "\"", noun))
        .replaceAll(Matcher.quoteReplacement(written.substring(1)));
  }
}
