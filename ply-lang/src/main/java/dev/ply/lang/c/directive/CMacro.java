package dev.ply.lang.c.directive;

import dev.ply.lang.c.expression.CToken;
import java.util.List;
import java.util.Optional;

/**
 * A macro.
 *
 * @param parameters of a function-like macro; a variadic one's last stands for the rest
 * @param body its tokens
 * @param isFromHeader whether a header defines it, or the compiler
 */
public record CMacro(
    String name,
    Optional<List<String>> parameters,
    boolean isVariadic,
    List<CToken> body,
    boolean isFromHeader) {
  public CMacro {
    parameters = parameters.map(List::copyOf);
    body = List.copyOf(body);
  }

  /** Returns the index of a parameter, or -1. */
  int parameter(CToken token) {
    return token.isName() && parameters.isPresent() ? parameters.get().indexOf(token.text()) : -1;
  }

  /** Returns whether both stand for the same. */
  boolean isSame(CMacro other) {
    return parameters.equals(other.parameters)
        && isVariadic == other.isVariadic
        && body.stream()
            .map(CToken::text)
            .toList()
            .equals(other.body.stream().map(CToken::text).toList());
  }
}
