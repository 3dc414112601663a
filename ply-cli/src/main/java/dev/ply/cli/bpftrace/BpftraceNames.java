package dev.ply.cli.bpftrace;

import dev.ply.listing.CxxNames;
import dev.ply.listing.ProbeNames;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.Provider;
import dev.ply.selector.RawTracepointSelector;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names that probes have in bpftrace's lists. */
public final class BpftraceNames implements ProbeNames {
  /** The units of timers. */
  static final List<String> UNITS = List.of("hz:", "ms:", "s:", "us:");

  /** The module of the kernel's own functions and types. */
  static final String KERNEL = RawTracepointSelector.KERNEL;

  /** Those that share an event, too. */
  @Override
  public Set<Provider> ofKernel() {
    return Provider.with(Provider.Trait.PATTERN).stream()
        .filter(provider -> !provider.site().isInUserSpace())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Provider.class)));
  }

  @Override
  public List<String> timers() {
    return UNITS;
  }

  /** All names of each, with a colon before the period. */
  @Override
  public Stream<String> counters(PerfCounter.Source source) {
    return Stream.of(PerfCounter.values())
        .filter(counter -> counter.source() == source)
        .flatMap(counter -> counter.names().stream())
        .map(name -> name + ":")
        .sorted();
  }

  @Override
  public boolean showsModules() {
    return true;
  }

  @Override
  public CxxNames cxxNames() {
    return CxxNames.LINKED;
  }

  @Override
  public String definition(String definition) {
    return KERNEL + ": " + definition;
  }
}
