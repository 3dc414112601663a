package dev.ply.bpf.object;

import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program and how it is attached: all of a script's clauses on some sites, in their order. It is
 * loaded once and attached by each of its specifications.
 *
 * @param specs at least one, all of one variant: one for each site, or one for all
 * @param next what to attach instead where the kernel refuses a specification
 */
public record ProbeProgram(
    List<AttachSpec> specs, BpfProgram program, Optional<ProbeProgram> next) {
  private static final int NAMED = 3;

  public ProbeProgram {
    specs = List.copyOf(specs);
    if (next.isPresent() && specs.size() > 1 && next.get().specs.size() != specs.size()) {
      throw new IllegalArgumentException(
          next.get().specs.size() + " specifications instead of " + specs.size());
    }
  }

  /** Returns where the program runs, in the order of the script. */
  public Stream<AttachSite> sites() {
    return specs.stream().flatMap(spec -> spec.sites().stream());
  }

  /** Returns whether the program runs on request, at that moment. */
  public boolean runsAt(AttachSpec.Moment moment) {
    return specs.get(0) instanceof AttachSpec.TestRun run && run.moment() == moment;
  }

  /** Returns which specifications of {@link #next} are for the sites of that one of this. */
  public IntStream instead(int index) {
    return specs.size() == 1
        ? IntStream.range(0, next.orElseThrow().specs.size())
        : IntStream.of(index);
  }

  /** Returns where the program runs, for people: the first few sites and the number of others. */
  public String title() {
    List<AttachSite> all = sites().toList();
    StringJoiner names = new StringJoiner(", ");
    all.stream().limit(NAMED).forEach(site -> names.add(site.definition()));
    int rest = all.size() - NAMED;
    return names + (rest > 0 ? " and " + rest + " more" : "");
  }
}
