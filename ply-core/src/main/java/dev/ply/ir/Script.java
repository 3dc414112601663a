package dev.ply.ir;

import java.util.List;

/**
 * A complete trace: clauses in source order; the clauses of one probe site run in this order.
 *
 * @param substitutions names that were replaced by values of the environment
 * @param definitions the types that the script defines
 */
public record Script(
    List<Clause> clauses, List<Substitution> substitutions, List<TypeDefinition> definitions) {
  public Script {
    clauses = List.copyOf(clauses);
    substitutions = List.copyOf(substitutions);
    definitions = List.copyOf(definitions);
  }

  /** A script that defines no types. */
  public Script(List<Clause> clauses, List<Substitution> substitutions) {
    this(clauses, substitutions, List.of());
  }

  /** Returns the script with other clauses. */
  public Script withClauses(List<Clause> clauses) {
    return new Script(clauses, substitutions, definitions);
  }

  /** A script without substitutions. */
  public Script(List<Clause> clauses) {
    this(clauses, List.of());
  }
}
