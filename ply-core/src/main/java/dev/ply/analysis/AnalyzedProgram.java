package dev.ply.analysis;

import dev.ply.analysis.site.ProbeSite;
import java.util.List;

/**
 * Clauses that are compiled to one program, in script order: all clauses of some probe sites.
 *
 * @param sites the probe sites, at least one; all of one kind, with the same layout of the record
 *     fields that the clauses read
 */
public record AnalyzedProgram(List<ProbeSite> sites, List<AnalyzedClause> clauses) {
  public AnalyzedProgram {
    sites = List.copyOf(sites);
    clauses = List.copyOf(clauses);
  }
}
