package dev.ply.bpf.codegen;

import dev.ply.Safety;
import dev.ply.TraceOptions;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.unwind.UnwindSizes;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.target.Mechanism;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Options of compilation: those of the trace, and what the compiler adds. Immutable.
 *
 * @param trace sizes, attaching, safety
 * @param passes the optimisation passes
 * @param reporting what programs report of that which fails in them
 */
public record CompilerOptions(TraceOptions trace, Set<Pass> passes, Reporting reporting) {
  /**
   * The defaults. The ring buffer holds a million events of a few numbers and a name, in case the
   * reader gets no CPU for a while.
   */
  public static final CompilerOptions DEFAULT = of(TraceOptions.DEFAULT);

  private static final int PAGE = 4096;
  private static final int LARGEST_BUFFER = 1 << 30;

  /** Copies the passes, and rounds the size of the ring buffer up to a power of two. */
  public CompilerOptions {
    passes = Set.copyOf(passes);
    int highest = Integer.highestOneBit(trace.bufferBytes());
    trace = highest == trace.bufferBytes() ? trace : trace.withBufferBytes(highest * 2);
  }

  /**
   * {@return the options of compilation for a trace}
   *
   * @param options of a tracer
   */
  public static CompilerOptions of(TraceOptions options) {
    return new CompilerOptions(
        options, Pass.ALL, options.reportsErrors() ? Reporting.ALL : Reporting.NONE);
  }

  /** {@return the maximum number of keys of a map} */
  public int mapEntries() {
    return trace.mapEntries();
  }

  /** {@return the size of the ring buffer, a power of two; scripts with few events use less} */
  public int ringBufferBytes() {
    return trace.bufferBytes();
  }

  /**
   * {@return the maximum number of stack frames, innermost first; limited by {@code
   * kernel.perf_event_max_stack}}
   */
  public int stackDepth() {
    return trace.stackDepth();
  }

  /** {@return the mechanism to use wherever possible, instead of the cheapest} */
  public Optional<Mechanism> mechanism() {
    return trace.mechanism();
  }

  /**
   * {@return the sizes of maps of unwind tables, by which user stacks are walked; empty to walk all
   * by frame pointers, as where nobody stays to fill the maps}
   */
  public Optional<UnwindSizes> unwinding() {
    return trace.unwindBytes() == 0 || trace.staysAttached()
        ? Optional.empty()
        : Optional.of(UnwindSizes.ofBytes(trace.unwindBytes()));
  }

  /** {@return whether scripts may change the system} */
  public Safety safety() {
    return trace.safety();
  }

  /** {@return whether programs can leave hits out} */
  public boolean samples() {
    return trace.allowsSampling();
  }

  /**
   * {@return whether other traces update the maps, too, so that programs of these can interrupt
   * those of this one}
   */
  public boolean sharesMaps() {
    return trace.pins().isPresent();
  }

  /**
   * {@return these options, overridden by a script's settings}
   *
   * @param settings with precedence
   */
  public CompilerOptions with(Configuration settings) {
    OptionalInt keys = settings.number(Setting.MAX_MAP_KEYS);
    OptionalInt pages = settings.number(Setting.PERF_RB_PAGES);
    CompilerOptions sized = keys.isPresent() ? withMapEntries(keys.getAsInt()) : this;
    return pages.isPresent()
        ? sized.withRingBufferBytes(Math.min(LARGEST_BUFFER / PAGE, pages.getAsInt()) * PAGE)
        : sized;
  }

  private CompilerOptions with(TraceOptions changed) {
    return new CompilerOptions(changed, passes, reporting);
  }

  /**
   * {@return these options with a mechanism}
   *
   * @param chosen used wherever it can be
   */
  public CompilerOptions attachedBy(Mechanism chosen) {
    return with(trace.attachedBy(chosen));
  }

  /**
   * {@return these options with another maximum number of keys}
   *
   * @param keys at least 1
   * @throws IllegalArgumentException if it is less
   */
  public CompilerOptions withMapEntries(int keys) {
    return with(trace.withMapEntries(keys));
  }

  /**
   * {@return these options with another size of the ring buffer}
   *
   * @param bytes 4 KiB to 1 GiB, rounded up to a power of two
   * @throws IllegalArgumentException if it is out of range
   */
  public CompilerOptions withRingBufferBytes(int bytes) {
    return with(trace.withBufferBytes(bytes));
  }

  /**
   * {@return these options with another maximum stack depth}
   *
   * @param frames 1 to 127
   * @throws IllegalArgumentException if it is out of range
   */
  public CompilerOptions withStackDepth(int frames) {
    return with(trace.withStackDepth(frames));
  }

  /**
   * {@return these options with another limit of memory for unwind tables}
   *
   * @param bytes at least 0
   * @throws IllegalArgumentException if it is less
   */
  public CompilerOptions withUnwindBytes(long bytes) {
    return with(trace.withUnwindBytes(bytes));
  }

  /** {@return these options for programs that can leave hits out} */
  public CompilerOptions sampled() {
    return with(trace.allowingSampling());
  }

  /** {@return these options, with scripts allowed to change the system} */
  public CompilerOptions unsafe() {
    return with(trace.unsafe());
  }

  /**
   * {@return these options with these passes only}
   *
   * @param chosen none for code as it is generated
   */
  public CompilerOptions withPasses(Set<Pass> chosen) {
    return new CompilerOptions(trace, chosen, reporting);
  }

  /** {@return these options, with programs that report all that fails in them} */
  public CompilerOptions reportingErrors() {
    return reporting(Reporting.ALL);
  }

  /**
   * {@return these options, with programs that report some of what fails in them}
   *
   * @param reported what they report
   */
  public CompilerOptions reporting(Reporting reported) {
    return new CompilerOptions(trace, passes, reported);
  }
}
