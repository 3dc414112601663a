package dev.ply.analysis;

import java.util.List;

/**
 * Clauses that run together: all that are meant for each of some places, in the script's order.
 *
 * @param sites where they run, at least one; all of one kind, and their records, as far as the
 *     clauses read them, laid out alike
 */
public record AnalyzedProgram(List<ProbeSite> sites, List<AnalyzedClause> clauses) {
  public AnalyzedProgram {
    sites = List.copyOf(sites);
    clauses = List.copyOf(clauses);
  }
}
