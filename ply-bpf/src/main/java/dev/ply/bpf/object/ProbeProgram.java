package dev.ply.bpf.object;

import dev.ply.probe.TracerProbe;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program and its attachments: all clauses of some probe sites, in script order. Loaded once and
 * attached by each spec.
 *
 * @param specs at least one, all of one variant: one for each site, or one for all
 * @param program run by all specs
 * @param next the alternative for specs that the kernel refuses
 */
public record ProbeProgram(
    List<AttachSpec> specs, BpfProgram program, Optional<ProbeProgram> next) {
  private static final int NAMED = 3;

  /**
   * Copies the specs.
   *
   * @throws IllegalArgumentException if the alternative has another number of them
   */
  public ProbeProgram {
    specs = List.copyOf(specs);
    if (next.isPresent() && specs.size() > 1 && next.get().specs.size() != specs.size()) {
      throw new IllegalArgumentException(
          next.get().specs.size() + " specifications instead of " + specs.size());
    }
  }

  /** {@return the probe sites, in script order} */
  public Stream<AttachSite> sites() {
    return specs.stream().flatMap(spec -> spec.sites().stream());
  }

  /** {@return the probe that the tracer runs itself; empty if the program is attached} */
  public Optional<TracerProbe> own() {
    return specs.get(0) instanceof AttachSpec.TestRun run
        ? Optional.of(run.point())
        : Optional.empty();
  }

  /** {@return whether the program runs unattached, once for each object of the kernel} */
  public boolean iterates() {
    return specs.get(0) instanceof AttachSpec.Iterator;
  }

  /**
   * {@return the indices of {@link #next}'s specs for the sites of a spec}
   *
   * @param index of a spec of this program
   */
  public IntStream instead(int index) {
    return specs.size() == 1
        ? IntStream.range(0, next.orElseThrow().specs.size())
        : IntStream.of(index);
  }

  /** {@return the first few sites and the number of others, for messages} */
  public String title() {
    List<AttachSite> all = sites().toList();
    StringJoiner names = new StringJoiner(", ");
    all.stream().limit(NAMED).forEach(site -> names.add(site.definition()));
    int rest = all.size() - NAMED;
    return names + (rest > 0 ? " and " + rest + " more" : "");
  }
}
