package dev.ply.bpf.codegen;

import dev.ply.Safety;
import dev.ply.TraceOptions;
import dev.ply.bpf.optimize.Pass;
import dev.ply.builtin.StackShape;
import dev.ply.ir.Configuration;
import dev.ply.ir.Setting;
import dev.ply.target.Mechanism;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Options of compilation. Sizes are rounded up to powers of two where the kernel requires it.
 *
 * @param mapEntries the maximum number of keys of a map
 * @param ringBufferBytes the size of the ring buffer; scripts with few events use less
 * @param stackDepth the maximum number of stack frames, innermost first; limited by {@code
 *     kernel.perf_event_max_stack}
 * @param passes the optimisation passes
 * @param mechanism the mechanism to use wherever possible, instead of the cheapest
 * @param safety whether scripts may change the system
 * @param sharesMaps whether other traces update the maps, too, so that programs of these can
 *     interrupt those of this one
 * @param reporting what programs report of that which fails in them
 */
public record CompilerOptions(
    int mapEntries,
    int ringBufferBytes,
    int stackDepth,
    Set<Pass> passes,
    Optional<Mechanism> mechanism,
    Safety safety,
    boolean sharesMaps,
    Reporting reporting) {
  /**
   * The defaults. The ring buffer holds a million events of a few numbers and a name, in case the
   * reader gets no CPU for a while.
   */
  public static final CompilerOptions DEFAULT =
      new CompilerOptions(
          4096, 1 << 25, 32, Pass.ALL, Optional.empty(), Safety.SAFE, false, Reporting.NONE);

  private static final int SMALLEST_BUFFER = 4096;
  private static final int PAGE = 4096;
  private static final int LARGEST_BUFFER = 1 << 30;

  /**
   * {@return the options of compilation among those of traces}
   *
   * @param options of a tracer
   */
  public static CompilerOptions of(TraceOptions options) {
    return new CompilerOptions(
        options.mapEntries(),
        options.bufferBytes(),
        options.stackDepth(),
        Pass.ALL,
        options.mechanism(),
        options.safety(),
        options.pins().isPresent(),
        options.reportsErrors() ? Reporting.ALL : Reporting.NONE);
  }

  /**
   * {@return these options with a mechanism}
   *
   * @param chosen used wherever it can be
   */
  public CompilerOptions attachedBy(Mechanism chosen) {
    return new CompilerOptions(
        mapEntries,
        ringBufferBytes,
        stackDepth,
        passes,
        Optional.of(chosen),
        safety,
        sharesMaps,
        reporting);
  }

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if a size is out of range
   */
  public CompilerOptions {
    passes = Set.copyOf(passes);
    if (mapEntries < 1) {
      throw new IllegalArgumentException("a map holds at least 1 key, not " + mapEntries);
    }
    if (ringBufferBytes < SMALLEST_BUFFER || ringBufferBytes > LARGEST_BUFFER) {
      throw new IllegalArgumentException(
          "a ring buffer has "
              + SMALLEST_BUFFER
              + " to "
              + LARGEST_BUFFER
              + " bytes, not "
              + ringBufferBytes);
    }
    if (stackDepth < 1 || stackDepth > StackShape.DEEPEST) {
      throw new IllegalArgumentException(
          "a stack trace has 1 to " + StackShape.DEEPEST + " frames, not " + stackDepth);
    }
    int highest = Integer.highestOneBit(ringBufferBytes);
    ringBufferBytes = highest == ringBufferBytes ? highest : highest * 2;
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

  /**
   * {@return these options with another maximum number of keys}
   *
   * @param keys at least 1
   */
  public CompilerOptions withMapEntries(int keys) {
    return new CompilerOptions(
        keys, ringBufferBytes, stackDepth, passes, mechanism, safety, sharesMaps, reporting);
  }

  /**
   * {@return these options with another size of the ring buffer}
   *
   * @param bytes rounded up to a power of two
   */
  public CompilerOptions withRingBufferBytes(int bytes) {
    return new CompilerOptions(
        mapEntries, bytes, stackDepth, passes, mechanism, safety, sharesMaps, reporting);
  }

  /**
   * {@return these options with another maximum stack depth}
   *
   * @param functions 1 to 127
   */
  public CompilerOptions withStackDepth(int functions) {
    return new CompilerOptions(
        mapEntries, ringBufferBytes, functions, passes, mechanism, safety, sharesMaps, reporting);
  }

  /**
   * {@return these options with these passes only}
   *
   * @param chosen none for code as it is generated
   */
  public CompilerOptions withPasses(Set<Pass> chosen) {
    return new CompilerOptions(
        mapEntries, ringBufferBytes, stackDepth, chosen, mechanism, safety, sharesMaps, reporting);
  }

  /** {@return these options, with scripts allowed to change the system} */
  public CompilerOptions unsafe() {
    return new CompilerOptions(
        mapEntries,
        ringBufferBytes,
        stackDepth,
        passes,
        mechanism,
        Safety.UNSAFE,
        sharesMaps,
        reporting);
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
    return new CompilerOptions(
        mapEntries, ringBufferBytes, stackDepth, passes, mechanism, safety, sharesMaps, reported);
  }
}
