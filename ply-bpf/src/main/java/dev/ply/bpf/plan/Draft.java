package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.site.ProbeSite;
import dev.ply.target.Mechanism;
import java.util.List;

/**
 * A choice of mechanism for a program, without its specs yet.
 *
 * @param cookies the cookie for each site; empty if none are needed
 * @param reason why this mechanism, a sentence without full stop
 */
record Draft(
    Group group, Mechanism mechanism, ProbeNumber number, List<Long> cookies, String reason) {
  Draft {
    cookies = List.copyOf(cookies);
  }

  /**
   * The sites of one program and its clauses.
   *
   * @param sites at least one; all with the same available mechanisms
   * @param use what the clauses read of the context
   * @param isPaired whether exits of calls are needed only where the entries were seen
   */
  record Group(
      List<ProbeSite> sites, List<AnalyzedClause> clauses, ContextUse use, boolean isPaired) {
    Group {
      sites = List.copyOf(sites);
      clauses = List.copyOf(clauses);
    }

    ProbeSite first() {
      return sites.get(0);
    }

    /** Returns this group with a single site. */
    Group at(ProbeSite site) {
      return new Group(List.of(site), clauses, use, isPaired);
    }
  }
}
