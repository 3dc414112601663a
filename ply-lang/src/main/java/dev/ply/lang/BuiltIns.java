package dev.ply.lang;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateFunctions;
import dev.ply.builtin.Builtins;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** The names with a meaning in the language. */
final class BuiltIns {
  private static final String ARGUMENT = "arg";

  /** Names of ply and bpftrace that are not implemented yet. */
  private static final Set<String> LATER =
      Set.of("zero", "tseries", "pton", "path", "typeof", "uaddr", "username");

  private BuiltIns() {}

  /** Returns whether a name alone has a meaning, so that it cannot be a whole map. */
  static boolean isKnown(String name) {
    return Builtins.named(name).isPresent()
        || AggregateFunctions.named(name).isPresent()
        || argument(name).isPresent();
  }

  /** Returns whether a name is reserved for a later version. */
  static boolean isLater(String name) {
    return LATER.contains(name);
  }

  /** Returns the aggregation of this name. */
  static Optional<AggregateFunction> aggregate(String name) {
    return AggregateFunctions.named(name);
  }

  /** Returns the index of the argument that a name such as {@code arg0} denotes. */
  static OptionalInt argument(String name) {
    String digits = name.startsWith(ARGUMENT) ? name.substring(ARGUMENT.length()) : "";
    boolean isNumber =
        switch (digits.length()) {
          case 1 -> isDigit(digits.charAt(0));
          case 2 ->
              isDigit(digits.charAt(0)) && isDigit(digits.charAt(1)) && digits.charAt(0) != '0';
          default -> false;
        };
    return isNumber ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  /** Returns all names except those of arguments. */
  static Stream<String> names() {
    return Stream.concat(
        Builtins.names().stream(),
        AggregateFunctions.all().stream().flatMap(function -> function.names().stream()));
  }
}
