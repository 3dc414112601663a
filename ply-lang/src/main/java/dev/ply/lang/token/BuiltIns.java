package dev.ply.lang.token;

import static java.util.Map.entry;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.Builtins;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The names with a meaning in the language. */
public final class BuiltIns {
  private static final String ARGUMENT = "arg";
  private static final String STACK_ARGUMENT = "sarg";

  /** The prefix in bpftrace's library of functions behind its macros. */
  private static final String INTERNAL = "__builtin_";

  /** Names of bpftrace that are not implemented yet, and what can be written instead. */
  private static final Map<String, String> LATER =
      Map.ofEntries(
          entry("typeinfo", "is_integer, is_str, is_ptr, is_array and sizeof distinguish types"),
          entry(
              "is_scalar", "a map has keys in all of a script, @map[key], or in none of it, @map"),
          entry(
              "kfunc_allowed",
              "ply does not support calls of kfuncs; kfunc_exist tests whether one exists"));

  /** Functions of C and DTrace that scripts call, and what the language has instead. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          entry("ntohs", "bswap((uint16)x) swaps the bytes of a number"),
          entry("htons", "bswap((uint16)x) swaps the bytes of a number"),
          entry("ntohl", "bswap((uint32)x) swaps the bytes of a number"),
          entry("htonl", "bswap((uint32)x) swaps the bytes of a number"),
          entry("ret", "write retval"),
          entry("strcat", "str_concat(a, b) joins strings"),
          entry("copyin", "*(uint32 *)address reads memory; buf(address, n) is n bytes of it"),
          entry("copyinstr", "str(address) reads a string"),
          entry("stringof", "str(address) reads a string"));

  private BuiltIns() {}

  /** Returns whether a name alone has a meaning, so that it cannot be a whole map. */
  public static boolean isKnown(String name) {
    return function(name).isPresent()
        || AggregateFunctions.named(name).isPresent()
        || argument(name).isPresent()
        || stackArgument(name).isPresent();
  }

  /** Returns the built-in of a name, which may be that of bpftrace's library. */
  public static Optional<Builtin> function(String name) {
    return Builtins.named(name.startsWith(INTERNAL) ? name.substring(INTERNAL.length()) : name);
  }

  /** Returns what can be written instead of a name, if that is reserved for a later version. */
  public static Optional<String> instead(String name) {
    return Optional.ofNullable(LATER.get(name));
  }

  /** Returns what the language has instead of a function of C, DTrace or ply version 1. */
  public static Optional<String> elsewhere(String name) {
    return Optional.ofNullable(ELSEWHERE.get(name));
  }

  /** Returns the aggregation of this name. */
  public static Optional<AggregateFunction> aggregate(String name) {
    return AggregateFunctions.named(name);
  }

  /** Returns the index of the argument that a name such as {@code arg0} denotes. */
  public static OptionalInt argument(String name) {
    return number(name, ARGUMENT);
  }

  /** Returns the index of the word of the stack that a name such as {@code sarg0} denotes. */
  public static OptionalInt stackArgument(String name) {
    return number(name, STACK_ARGUMENT);
  }

  private static OptionalInt number(String name, String prefix) {
    String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
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
  public static Stream<String> names() {
    return Stream.concat(
        Builtins.names().stream(),
        AggregateFunctions.all().stream().flatMap(function -> function.names().stream()));
  }
}
