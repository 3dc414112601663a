package dev.ply.ir;

import java.util.List;

/**
 * A complete trace: clauses in source order; the clauses of one probe site run in this order.
 *
 * @param substitutions names that were replaced by values of the environment
 * @param definitions the types that the script defines
 * @param declarations the maps whose size the script sets
 */
public record Script(
    Configuration configuration,
    List<Clause> clauses,
    List<Substitution> substitutions,
    List<TypeDefinition> definitions,
    List<MapDeclaration> declarations) {
  public Script {
    clauses = List.copyOf(clauses);
    substitutions = List.copyOf(substitutions);
    definitions = List.copyOf(definitions);
    declarations = List.copyOf(declarations);
  }

  /** A script of clauses alone. */
  public Script(List<Clause> clauses) {
    this(Configuration.NONE, clauses, List.of(), List.of(), List.of());
  }

  /** Returns the script with other clauses. */
  public Script withClauses(List<Clause> clauses) {
    return new Script(configuration, clauses, substitutions, definitions, declarations);
  }

  /** Returns the script with declarations of its maps. */
  public Script withDeclarations(List<MapDeclaration> maps) {
    return new Script(configuration, clauses, substitutions, definitions, maps);
  }

  /** Returns the script with other settings. */
  public Script withConfiguration(Configuration settings) {
    return new Script(settings, clauses, substitutions, definitions, declarations);
  }
}
