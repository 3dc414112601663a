package dev.ply.ir;

import java.util.List;

/**
 * A whole trace: clauses in the order they were written; clauses on one point run in that order.
 *
 * @param substitutions what the text has names for that mean something else in each environment
 */
public record Script(List<Clause> clauses, List<Substitution> substitutions) {
  public Script {
    clauses = List.copyOf(clauses);
    substitutions = List.copyOf(substitutions);
  }

  /** A script in which everything stands for itself. */
  public Script(List<Clause> clauses) {
    this(clauses, List.of());
  }
}
