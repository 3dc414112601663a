package dev.ply.listing;

import dev.ply.probe.PerfCounter;
import dev.ply.probe.Provider;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The names that probes have in lists. Those of this interface are ply's; others override them. */
public interface ProbeNames {
  /** ply's. */
  ProbeNames PLY = new ProbeNames() {};

  /**
   * {@return the providers that patterns without a provider mean: the kernel's, each event once}
   */
  default Set<Provider> ofKernel() {
    return Provider.with(Provider.Trait.LISTED);
  }

  /** {@return the names of timers, which scripts define; none if they are not listed} */
  default List<String> timers() {
    return List.of();
  }

  /** {@return the names of counters} */
  default Stream<String> counters(PerfCounter.Source source) {
    return Stream.of(PerfCounter.values())
        .filter(counter -> counter.source() == source)
        .map(PerfCounter::text);
  }

  /**
   * {@return whether functions with types have the name of their module, {@code vmlinux} if they
   * are the kernel's own, and patterns without a module mean those of all}
   */
  default boolean showsModules() {
    return false;
  }

  /** {@return which names functions of C++ and Rust have} */
  default CxxNames cxxNames() {
    return CxxNames.DECLARED;
  }

  /**
   * {@return how the definition of a type is shown}
   *
   * @param definition in C
   */
  default String definition(String definition) {
    return definition;
  }
}
