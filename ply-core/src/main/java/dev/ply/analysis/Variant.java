package dev.ply.analysis;

import dev.ply.ir.Clause;
import dev.ply.target.TracepointFormat;
import java.util.List;
import java.util.Optional;

/**
 * A clause at those of its places where it means the same.
 *
 * @param clause one of the clauses that have this body, the first
 * @param tracepoint the layout of the record at one of the places, if the clause reads it
 */
record Variant(Clause clause, List<ProbeSite> sites, Optional<TracepointFormat> tracepoint) {
  Variant {
    sites = List.copyOf(sites);
  }
}
