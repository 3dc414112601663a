package dev.ply.target;

import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The parameters of a function in a program or library, as its debug information (DWARF) has them.
 *
 * @param parameters in order
 * @param definitions of the structures and unions that their types lead to
 */
public record FunctionPrototype(List<Parameter> parameters, List<TypeDefinition> definitions) {
  /**
   * Copies the lists.
   *
   * @param parameters in order
   * @param definitions of the structures and unions that their types lead to
   */
  public FunctionPrototype {
    parameters = List.copyOf(parameters);
    definitions = List.copyOf(definitions);
  }

  /**
   * A parameter.
   *
   * @param name empty if it has none
   * @param type empty if it cannot be described
   * @param argument the number of the argument that passes it, 0 for {@code arg0}; empty if no
   *     integer does: of floating-point numbers, structures, and what follows a structure
   */
  public record Parameter(String name, Optional<TypeName> type, OptionalInt argument) {}
}
