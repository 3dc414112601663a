package dev.ply.analysis.typing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The enclosing blocks of a point in a clause, with their scratch variables. */
final class VariableScopes {
  private final Deque<Map<String, Integer>> scopes = new ArrayDeque<>();
  private int next;

  VariableScopes() {
    open();
  }

  /** Enters a block. */
  void open() {
    scopes.push(new LinkedHashMap<>());
  }

  /** Leaves a block, which drops its variables. */
  void close() {
    scopes.pop();
  }

  /** Returns the number of the variable with this name in scope. */
  OptionalInt find(String name) {
    for (Map<String, Integer> scope : scopes) {
      Integer number = scope.get(name);
      if (number != null) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  /** Declares a variable in the innermost block and returns its number. */
  int declare(String name) {
    scopes.element().put(name, next);
    return next++;
  }

  /** Returns the names in scope. */
  Stream<String> names() {
    return scopes.stream().flatMap(scope -> scope.keySet().stream());
  }
}
