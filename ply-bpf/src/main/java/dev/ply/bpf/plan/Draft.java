package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.ProbeSite;
import dev.ply.target.Mechanism;
import java.util.List;

/**
 * A choice of how to attach a program, of which nothing is written down yet.
 *
 * @param cookies the number that the program sees at each of the sites; empty if it needs none
 * @param reason why this mechanism, a sentence without its end
 */
record Draft(
    Group group, Mechanism mechanism, ProbeNumber number, List<Long> cookies, String reason) {
  Draft {
    cookies = List.copyOf(cookies);
  }

  /**
   * The sites of one program and its clauses.
   *
   * @param sites at least one; all with the same choice of mechanisms
   * @param use what the clauses read of what the kernel hands over
   */
  record Group(List<ProbeSite> sites, List<AnalyzedClause> clauses, ContextUse use) {
    Group {
      sites = List.copyOf(sites);
      clauses = List.copyOf(clauses);
    }

    ProbeSite first() {
      return sites.get(0);
    }

    /** Returns the same at one site. */
    Group at(ProbeSite site) {
      return new Group(List.of(site), clauses, use);
    }
  }
}
