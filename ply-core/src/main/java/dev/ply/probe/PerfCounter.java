package dev.ply.probe;

import com.google.common.collect.ImmutableList;
import dev.ply.selector.InvalidSelectorException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An event that the kernel or the CPU counts, by the kernel's names and numbers ({@code
 * include/uapi/linux/perf_event.h}).
 */
public enum PerfCounter {
  /** CPU time, in nanoseconds. */
  CPU_CLOCK(Source.SOFTWARE, 0, 1_000_000, "cpu-clock", "cpu"),
  /** Run time of a task, in nanoseconds. */
  TASK_CLOCK(Source.SOFTWARE, 1, 1_000_000, "task-clock"),
  /** Page faults. */
  PAGE_FAULTS(Source.SOFTWARE, 2, 100, "page-faults", "faults"),
  /** Context switches. */
  CONTEXT_SWITCHES(Source.SOFTWARE, 3, 1_000, "context-switches", "cs"),
  /** Migrations of a task to another CPU. */
  CPU_MIGRATIONS(Source.SOFTWARE, 4, 1, "cpu-migrations"),
  /** Minor page faults: without disk I/O. */
  MINOR_FAULTS(Source.SOFTWARE, 5, 100, "minor-faults"),
  /** Major page faults: with disk I/O. */
  MAJOR_FAULTS(Source.SOFTWARE, 6, 1, "major-faults"),
  /** Unaligned accesses that the kernel fixed up. */
  ALIGNMENT_FAULTS(Source.SOFTWARE, 7, 1, "alignment-faults"),
  /** Instructions that the kernel emulated. */
  EMULATION_FAULTS(Source.SOFTWARE, 8, 1, "emulation-faults"),
  /** A placeholder that counts nothing. */
  DUMMY(Source.SOFTWARE, 9, 1, "dummy"),
  /** Output of BPF programs. */
  BPF_OUTPUT(Source.SOFTWARE, 10, 1, "bpf-output"),
  /** CPU cycles. */
  CPU_CYCLES(Source.HARDWARE, 0, 1_000_000, "cpu-cycles", "cycles"),
  /** Instructions retired. */
  INSTRUCTIONS(Source.HARDWARE, 1, 1_000_000, "instructions"),
  /** Cache references, usually of the last level. */
  CACHE_REFERENCES(Source.HARDWARE, 2, 1_000_000, "cache-references"),
  /** Cache misses. */
  CACHE_MISSES(Source.HARDWARE, 3, 1_000_000, "cache-misses"),
  /** Branches retired. */
  BRANCH_INSTRUCTIONS(Source.HARDWARE, 4, 100_000, "branch-instructions", "branches"),
  /** Mispredicted branches. */
  BRANCH_MISSES(Source.HARDWARE, 5, 100_000, "branch-misses"),
  /** Bus cycles. */
  BUS_CYCLES(Source.HARDWARE, 6, 100_000, "bus-cycles"),
  /** Cycles stalled in the frontend. */
  FRONTEND_STALLS(Source.HARDWARE, 7, 1_000_000, "frontend-stalls"),
  /** Cycles stalled in the backend. */
  BACKEND_STALLS(Source.HARDWARE, 8, 1_000_000, "backend-stalls"),
  /** Reference cycles, at the CPU's nominal frequency. */
  REF_CYCLES(Source.HARDWARE, 9, 1_000_000, "ref-cycles");

  /** Where events are counted. */
  public enum Source {
    /** In the kernel. */
    SOFTWARE,
    /** In the CPU. */
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
   * {@return the counter with this name}
   *
   * @param source the kernel or the CPU
   * @param name as scripts write it: {@code cpu-cycles}, or an alias, {@code cycles}
   * @throws InvalidSelectorException if it is unknown
   */
  public static PerfCounter named(Source source, String name) {
    return of(source)
        .filter(counter -> counter.names.contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidSelectorException(
                    "unknown " + source.name().toLowerCase(Locale.ROOT) + " event \"" + name + "\"",
                    "there are " + String.join(", ", of(source).map(PerfCounter::text).toList())));
  }

  private static Stream<PerfCounter> of(Source source) {
    return Arrays.stream(values()).filter(counter -> counter.source == source);
  }

  /** {@return where events are counted} */
  public Source source() {
    return source;
  }

  /** {@return the kernel's number, the {@code config} of perf_event_attr} */
  public int number() {
    return number;
  }

  /** {@return the default period: how many events per firing} */
  public long usualPeriod() {
    return usualPeriod;
  }

  /** {@return all names that scripts can write, the usual one first} */
  public List<String> names() {
    return names;
  }

  /** {@return the name as scripts write it} */
  public String text() {
    return names.get(0);
  }
}
