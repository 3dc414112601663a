package dev.ply.target;

import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeReference;
import java.util.List;
import java.util.Optional;

/**
 * The parameters of a function in a program or library, as its debug information (DWARF) has them.
 *
 * @param parameters in order
 * @param definitions of the structures and unions that their types lead to
 */
public record FunctionPrototype(List<Parameter> parameters, List<TypeDefinition> definitions) {
  /** Copies the lists. */
  public FunctionPrototype {
    parameters = List.copyOf(parameters);
    definitions = List.copyOf(definitions);
  }

  /**
   * A parameter, or a part of one.
   *
   * @param name empty if it has none
   * @param type empty if it cannot be described
   * @param place where it is when the function is called
   */
  public record Parameter(String name, Optional<TypeReference> type, Place place) {}

  /** Where a parameter is at the first instruction of its function. */
  public sealed interface Place {
    /**
     * In the register of an argument.
     *
     * @param number 0 for {@code arg0}; beyond the last register, those on the stack
     */
    record Argument(int number) implements Place {}

    /**
     * In another register.
     *
     * @param name as {@code reg} takes it
     */
    record Register(String name) implements Place {}

    /**
     * On the stack.
     *
     * @param number 0 for {@code sarg0}
     */
    record StackWord(int number) implements Place {}

    /**
     * In the higher bits of a word.
     *
     * @param word the register, or word of the stack
     * @param shift its first bit
     */
    record Bits(Place word, int shift) implements Place {}

    /**
     * In several places.
     *
     * @param parts the members of the structure that it is
     * @param isText whether these are the address and the length of a string
     */
    record Parts(List<Parameter> parts, boolean isText) implements Place {
      /** Copies the parts. */
      public Parts {
        parts = List.copyOf(parts);
      }
    }

    /**
     * Where probes do not find it.
     *
     * @param reason as a clause, "it is …"
     * @param hint what else can be done
     */
    record Nowhere(String reason, String hint) implements Place {}
  }
}
