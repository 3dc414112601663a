package dev.ply.bpf.object;

import dev.ply.analysis.ProbeSite;
import dev.ply.ir.AttachPoint;
import java.util.List;
import java.util.StringJoiner;

/**
 * A program and where it runs: all of a script's clauses on some places, in their order. It is
 * loaded once and attached to each of them.
 *
 * @param sites at least one; all of one kind
 * @param cookies the number that the program shall see at each of the places; empty if it needs
 *     none
 */
public record ProbeProgram(
    List<ProbeSite> sites, List<Integer> cookies, BpfProgram program, AttachPlan plan) {
  private static final int NAMED = 3;

  public ProbeProgram {
    sites = List.copyOf(sites);
    cookies = List.copyOf(cookies);
    if (!cookies.isEmpty() && cookies.size() != sites.size()) {
      throw new IllegalArgumentException(
          cookies.size() + " numbers for " + sites.size() + " places");
    }
  }

  /** Returns the number that the program shall see at place {@code index}; 0 if it needs none. */
  public int cookie(int index) {
    return cookies.isEmpty() ? 0 : cookies.get(index);
  }

  /** Tells whether the program runs at such a point. */
  public boolean isAt(Class<? extends AttachPoint> kind) {
    return kind.isInstance(sites.get(0).point());
  }

  /** Returns where the program runs, for people: the first few places and the number of others. */
  public String title() {
    StringJoiner names = new StringJoiner(", ");
    for (ProbeSite site : sites.subList(0, Math.min(NAMED, sites.size()))) {
      names.add(site.point().definition());
    }
    int rest = sites.size() - NAMED;
    return names + (rest > 0 ? " and " + rest + " more" : "");
  }
}
