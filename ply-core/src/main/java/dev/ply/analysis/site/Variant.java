package dev.ply.analysis.site;

import dev.ply.ir.Clause;
import dev.ply.target.TracepointFormat;
import java.util.List;
import java.util.Optional;

/**
 * A clause with the probe sites for which its types are the same.
 *
 * @param clause the first of the clauses that share this body
 * @param tracepoint the format of the record at one of the sites, if the clause reads it
 */
public record Variant(Clause clause, List<ProbeSite> sites, Optional<TracepointFormat> tracepoint) {
  public Variant {
    sites = List.copyOf(sites);
  }
}
