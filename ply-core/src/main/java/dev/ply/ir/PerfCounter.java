package dev.ply.ir;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What the kernel or the processor counts, with the kernel's names and numbers ({@code
 * include/uapi/linux/perf_event.h}).
 */
public enum PerfCounter {
  /** The processor's time, in nanoseconds. */
  CPU_CLOCK(Source.SOFTWARE, 0, 1_000_000, "cpu-clock", "cpu"),
  /** The time that a thread ran, in nanoseconds. */
  TASK_CLOCK(Source.SOFTWARE, 1, 1_000_000, "task-clock"),
  /** Pages that were not there when they were needed. */
  PAGE_FAULTS(Source.SOFTWARE, 2, 100, "page-faults", "faults"),
  /** Changes from one thread to another. */
  CONTEXT_SWITCHES(Source.SOFTWARE, 3, 1_000, "context-switches", "cs"),
  /** Moves of a thread to another processor. */
  CPU_MIGRATIONS(Source.SOFTWARE, 4, 1, "cpu-migrations"),
  /** Page faults without a read from a disk. */
  MINOR_FAULTS(Source.SOFTWARE, 5, 100, "minor-faults"),
  /** Page faults with a read from a disk. */
  MAJOR_FAULTS(Source.SOFTWARE, 6, 1, "major-faults"),
  /** Accesses that the kernel had to align. */
  ALIGNMENT_FAULTS(Source.SOFTWARE, 7, 1, "alignment-faults"),
  /** Instructions that the kernel carried out instead of the processor. */
  EMULATION_FAULTS(Source.SOFTWARE, 8, 1, "emulation-faults"),
  /** Nothing. */
  DUMMY(Source.SOFTWARE, 9, 1, "dummy"),
  /** What programs send by way of perf. */
  BPF_OUTPUT(Source.SOFTWARE, 10, 1, "bpf-output"),
  /** Cycles of the processor. */
  CPU_CYCLES(Source.HARDWARE, 0, 1_000_000, "cpu-cycles", "cycles"),
  /** Instructions that were carried out. */
  INSTRUCTIONS(Source.HARDWARE, 1, 1_000_000, "instructions"),
  /** Accesses to a cache, as a rule the last. */
  CACHE_REFERENCES(Source.HARDWARE, 2, 1_000_000, "cache-references"),
  /** Accesses that the cache could not answer. */
  CACHE_MISSES(Source.HARDWARE, 3, 1_000_000, "cache-misses"),
  /** Branches. */
  BRANCH_INSTRUCTIONS(Source.HARDWARE, 4, 100_000, "branch-instructions", "branches"),
  /** Branches that were predicted wrongly. */
  BRANCH_MISSES(Source.HARDWARE, 5, 100_000, "branch-misses"),
  /** Cycles of the bus. */
  BUS_CYCLES(Source.HARDWARE, 6, 100_000, "bus-cycles"),
  /** Cycles in which no instruction could be fetched. */
  FRONTEND_STALLS(Source.HARDWARE, 7, 1_000_000, "frontend-stalls"),
  /** Cycles in which no instruction could be finished. */
  BACKEND_STALLS(Source.HARDWARE, 8, 1_000_000, "backend-stalls"),
  /** Cycles at the processor's nominal frequency. */
  REF_CYCLES(Source.HARDWARE, 9, 1_000_000, "ref-cycles");

  /** Who counts. */
  public enum Source {
    /** The kernel. */
    SOFTWARE,
    /** The processor. */
    HARDWARE
  }

  private final Source source;
  private final int number;
  private final long usualPeriod;
  private final ImmutableList<String> names;

  PerfCounter(Source source, int number, long usualPeriod, String... names) {
    this.source = source;
    this.number = number;
    this.usualPeriod = usualPeriod;
    this.names = ImmutableList.copyOf(names);
  }

  /**
   * Returns the counter that has a name.
   *
   * @throws InvalidSelectorException if none has
   */
  public static PerfCounter named(Source source, String name) {
    return of(source)
        .filter(counter -> counter.names.contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidSelectorException(
                    "there is no "
                        + source.name().toLowerCase(Locale.ROOT)
                        + " event \""
                        + name
                        + "\"",
                    "there are " + String.join(", ", of(source).map(PerfCounter::text).toList())));
  }

  private static Stream<PerfCounter> of(Source source) {
    return Arrays.stream(values()).filter(counter -> counter.source == source);
  }

  /** Returns who counts. */
  public Source source() {
    return source;
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }

  /** Returns after how many a probe fires, where the script does not say. */
  public long usualPeriod() {
    return usualPeriod;
  }

  /** Returns the kernel's name. */
  public String text() {
    return names.get(0);
  }
}
