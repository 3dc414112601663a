package dev.ply.ir;

import java.util.List;

/**
 * A complete trace: clauses in source order; the clauses of one probe site run in this order.
 *
 * @param substitutions names that were replaced by values of the environment
 */
public record Script(List<Clause> clauses, List<Substitution> substitutions) {
  public Script {
    clauses = List.copyOf(clauses);
    substitutions = List.copyOf(substitutions);
  }

  /** A script without substitutions. */
  public Script(List<Clause> clauses) {
    this(clauses, List.of());
  }
}
