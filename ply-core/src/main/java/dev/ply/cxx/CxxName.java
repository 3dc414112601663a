package dev.ply.cxx;

import java.util.Optional;

/**
 * The name of a C++ function.
 *
 * @param result the type of its result, which only symbols of templates tell; else empty
 * @param name with its namespaces, classes and template arguments: {@code Foo::bar}
 * @param parameters in parentheses, followed by the function's qualifiers; empty for a variable
 */
public record CxxName(String result, String name, String parameters) {
  /** Longer symbols are not decoded. */
  private static final int LONGEST = 2048;

  /**
   * Decodes a symbol by the Itanium C++ ABI, {@code _ZN3Foo3barEi}; empty if it is none, has forms
   * that are not known, or is a part of a function that a compiler split off.
   */
  public static Optional<CxxName> of(String symbol) {
    if (!symbol.startsWith("_Z") || symbol.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Demangler(symbol).decode());
    } catch (Demangler.UnknownForm e) {
      return Optional.empty();
    }
  }

  /** Returns the name as {@code c++filt} writes it. */
  public String text() {
    return (result.isEmpty() ? "" : result + " ") + name + parameters;
  }
}
