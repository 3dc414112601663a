package dev.ply.ir.generate;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.Builtins;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary names. */
public final class Names {
  private static final Set<String> TAKEN = Set.of("if", "else", "delete", "return", "BEGIN", "END");

  /** The scratch variables that generated scripts have, each assigned somewhere. */
  public static final List<String> VARIABLES = List.of("$x", "$count", "$_1");

  private Names() {}

  /** Returns names that are no built-ins and no keywords. */
  public static Arbitrary<String> free() {
    Arbitrary<Character> first = Arbitraries.chars().range('a', 'z').range('A', 'Z').with('_');
    Arbitrary<String> rest =
        Arbitraries.strings().withCharRange('a', 'z').numeric().withChars('_').ofMaxLength(8);
    return Arbitraries.oneOf(
        Arbitraries.of("m", "starts", "while", "for", "_x", "arg", "arg00", "begin", "counts"),
        Combinators.combine(first, rest).as((head, tail) -> head + tail).filter(Names::isFree));
  }

  private static boolean isFree(String name) {
    return !TAKEN.contains(name)
        && Builtins.named(name).isEmpty()
        && AggregateFunctions.named(name).isEmpty()
        && !name.matches("arg(0|[1-9][0-9]?)")
        // Digits and underscores alone are a number.
        && !name.matches("[_0-9]*");
  }

  /** Returns names of scratch variables, those of {@link #VARIABLES}. */
  public static Arbitrary<String> variables() {
    return Arbitraries.of(VARIABLES);
  }

  /** Returns names of maps that may aggregate. */
  public static Arbitrary<String> aggregations() {
    return Arbitraries.oneOf(
        Arbitraries.of("@", "@1", "@if", "@pid", "@count"),
        Arbitraries.strings().withCharRange('a', 'z').numeric().ofMaxLength(6).map(s -> "@" + s));
  }
}
