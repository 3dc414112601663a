package dev.ply.ir;

import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.MapDeclaration;
import java.util.List;

/**
 * A complete trace: clauses in source order; the clauses of one probe site run in this order.
 *
 * @param configuration the settings at its head
 * @param clauses in source order
 * @param substitutions names that were replaced by values of the environment
 * @param definitions the types that the script defines
 * @param declarations the maps whose size the script sets
 * @param uncalled the statements of functions that nothing calls: checked, and not compiled
 * @param renamed variables of macros and functions, which the script writes otherwise
 */
public record Script(
    Configuration configuration,
    List<Clause> clauses,
    List<Substitution> substitutions,
    List<TypeDefinition> definitions,
    List<MapDeclaration> declarations,
    List<Statement.Block> uncalled,
    List<RenamedVariable> renamed) {
  /** Copies the lists. */
  public Script {
    clauses = List.copyOf(clauses);
    substitutions = List.copyOf(substitutions);
    definitions = List.copyOf(definitions);
    declarations = List.copyOf(declarations);
    uncalled = List.copyOf(uncalled);
    renamed = List.copyOf(renamed);
  }

  /**
   * A script of clauses alone.
   *
   * @param clauses in source order
   */
  public Script(List<Clause> clauses) {
    this(Configuration.NONE, clauses, List.of(), List.of(), List.of());
  }

  /**
   * A script without functions and macros.
   *
   * @param configuration the settings at its head
   * @param clauses in source order
   * @param substitutions names that were replaced by values of the environment
   * @param definitions the types that the script defines
   * @param declarations the maps whose size the script sets
   */
  public Script(
      Configuration configuration,
      List<Clause> clauses,
      List<Substitution> substitutions,
      List<TypeDefinition> definitions,
      List<MapDeclaration> declarations) {
    this(configuration, clauses, substitutions, definitions, declarations, List.of(), List.of());
  }

  /**
   * {@return the script with other clauses}
   *
   * @param clauses in source order
   */
  public Script withClauses(List<Clause> clauses) {
    return new Script(
        configuration, clauses, substitutions, definitions, declarations, uncalled, renamed);
  }

  /**
   * {@return the script with other types of its own}
   *
   * @param types which replace the present ones
   */
  public Script withDefinitions(List<TypeDefinition> types) {
    return new Script(
        configuration, clauses, substitutions, types, declarations, uncalled, renamed);
  }

  /**
   * {@return the script with declarations of its maps}
   *
   * @param maps which replace the present declarations
   */
  public Script withDeclarations(List<MapDeclaration> maps) {
    return new Script(configuration, clauses, substitutions, definitions, maps, uncalled, renamed);
  }

  /**
   * {@return the script with other settings}
   *
   * @param settings which replace the present ones
   */
  public Script withConfiguration(Configuration settings) {
    return new Script(
        settings, clauses, substitutions, definitions, declarations, uncalled, renamed);
  }
}
