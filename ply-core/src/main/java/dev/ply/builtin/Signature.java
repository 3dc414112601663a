package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The parameters of a built-in, in order.
 *
 * @param required the minimum number of arguments; parameters after these are optional
 * @param repeats whether the last parameter is variadic
 */
public record Signature(List<Parameter> parameters, int required, boolean repeats) {
  /** No parameters: a value. */
  public static final Signature NONE = new Signature(List.of(), 0, false);

  public Signature {
    parameters = List.copyOf(parameters);
  }

  /** Returns a signature of required parameters. */
  public static Signature of(Parameter... parameters) {
    return new Signature(List.of(parameters), parameters.length, false);
  }

  /** Returns this signature with another, optional parameter. */
  public Signature optional(Parameter parameter) {
    ImmutableList.Builder<Parameter> more = ImmutableList.builder();
    return new Signature(more.addAll(parameters).add(parameter).build(), required, false);
  }

  /** Returns this signature with a variadic last parameter. */
  public Signature repeated() {
    return new Signature(parameters, required, true);
  }

  /** Returns whether a call can have {@code arguments} arguments. */
  public boolean accepts(int arguments) {
    return arguments >= required && (repeats || arguments <= parameters.size());
  }

  /** Returns whether there is a parameter of this kind. */
  public boolean has(Parameter kind) {
    return parameters.contains(kind);
  }

  /** Returns whether there is a parameter whose arguments are keywords. */
  public boolean hasKeywords() {
    return has(Parameter.STACK_MODE) || has(Parameter.PID_SCOPE) || has(Parameter.CLOCK);
  }

  /** Returns whether a name is a keyword of a parameter. */
  public boolean isKeyword(String word) {
    return parameters.stream().anyMatch(parameter -> parameter.isKeyword(word));
  }

  /**
   * Returns the accepted numbers of arguments, as the end of a message: {@code 1 or 2 arguments}.
   */
  public String count() {
    int most = parameters.size();
    String plural = most == 1 ? " argument" : " arguments";
    if (repeats) {
      return "at least " + required + " argument";
    }
    if (most == 0) {
      return "no arguments";
    }
    if (required == most) {
      return required + plural;
    }
    String between = most == required + 1 ? " or " : " to ";
    return required == 0 ? "at most " + most + plural : required + between + most + plural;
  }
}
