package dev.ply.analysis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The blocks around a point of a clause, each with the scratch variables declared in it. */
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

  /** Leaves a block, and with it its variables. */
  void close() {
    scopes.pop();
  }

  /** Returns the number of the variable that a name means here. */
  OptionalInt find(String name) {
    for (Map<String, Integer> scope : scopes) {
      Integer number = scope.get(name);
      if (number != null) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  /** Adds a variable to the innermost block, returns its number. */
  int declare(String name) {
    scopes.element().put(name, next);
    return next++;
  }

  /** Returns the names that mean something here. */
  Stream<String> names() {
    return scopes.stream().flatMap(scope -> scope.keySet().stream());
  }
}
