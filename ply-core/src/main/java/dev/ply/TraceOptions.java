package dev.ply;

import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.MissingProbes;
import dev.ply.target.Mechanism;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Options of a tracer's traces: sizes, attaching, threads. Immutable; a script's own settings
 * override them.
 *
 * @param mapEntries the maximum number of keys of a map, 4,096 by default; memory is allocated when
 *     the trace is loaded
 * @param bufferBytes the size of the buffer for events, 32 MiB by default, rounded up to a power of
 *     two; traces with few events use less
 * @param stackDepth the maximum number of stack frames, innermost first, 1 to 127, 32 by default;
 *     limited by {@code kernel.perf_event_max_stack}
 * @param stringBytes the size of strings of {@link Values#str(Value)} including the NUL, 1 to
 *     16384, 128 by default
 * @param mechanism the way to attach wherever possible, by default the cheapest
 * @param showsSymbols whether addresses of processes are symbolised, which reads files of other
 *     users
 * @param symbolBytes the heap for symbols of processes in bytes, see {@link #withSymbolBytes}; by
 *     default, all tracers of this process share a fifth of its heap
 * @param writesPerfMaps whether Java runtimes without a perf map are asked to write one, see {@link
 *     #withoutPerfMaps}; by default they are
 * @param unwindBytes the limit of the kernel's memory for unwind tables, see {@link
 *     #withUnwindBytes}; 256 MiB by default
 * @param safety whether scripts may change the system, by default not
 * @param threads creates the threads that read events, run periodic actions and call subscribers;
 *     daemon threads by default
 * @param pins the directory of a BPF filesystem in which maps are pinned, see {@link #pinnedAt};
 *     empty by default: maps end with their trace
 * @param staysAttached whether probes stay attached when a session closes or its process ends, see
 *     {@link #stayingAttached}; by default not
 * @param reportsErrors whether programs report what fails in them, see {@link #reportingErrors}; by
 *     default not
 * @param allowsSampling whether a session can leave hits out, see {@link #allowingSampling}; by
 *     default not
 * @param missingProbes what happens to probes that the machine lacks or refuses, an error by
 *     default
 */
public record TraceOptions(
    int mapEntries,
    int bufferBytes,
    int stackDepth,
    int stringBytes,
    Optional<Mechanism> mechanism,
    boolean showsSymbols,
    OptionalLong symbolBytes,
    boolean writesPerfMaps,
    long unwindBytes,
    Safety safety,
    ThreadFactory threads,
    Optional<Path> pins,
    boolean staysAttached,
    boolean reportsErrors,
    boolean allowsSampling,
    MissingProbes missingProbes) {
  /** The defaults. */
  public static final TraceOptions DEFAULT =
      new TraceOptions(
          4096,
          1 << 25,
          32,
          128,
          Optional.empty(),
          true,
          OptionalLong.empty(),
          true,
          1L << 28,
          Safety.SAFE,
          TraceOptions::daemon,
          Optional.empty(),
          false,
          false,
          false,
          MissingProbes.ERROR);

  private static final int LONGEST_STRING = 16384;
  private static final int SMALLEST_BUFFER = 1 << 12;
  private static final int LARGEST_BUFFER = 1 << 30;
  private static final int DEEPEST_STACK = 127;

  /**
   * Checks the sizes and the path.
   *
   * @throws IllegalArgumentException if a size is out of range, the path relative, or missing where
   *     probes stay attached
   */
  public TraceOptions {
    if (mapEntries < 1) {
      throw new IllegalArgumentException("a map holds at least 1 key, not " + mapEntries);
    }
    if (bufferBytes < SMALLEST_BUFFER || bufferBytes > LARGEST_BUFFER) {
      throw new IllegalArgumentException(
          "a ring buffer has "
              + SMALLEST_BUFFER
              + " to "
              + LARGEST_BUFFER
              + " bytes, not "
              + bufferBytes);
    }
    if (stackDepth < 1 || stackDepth > DEEPEST_STACK) {
      throw new IllegalArgumentException(
          "a stack trace has 1 to " + DEEPEST_STACK + " frames, not " + stackDepth);
    }
    if (stringBytes < 1 || stringBytes > LONGEST_STRING) {
      throw new IllegalArgumentException(
          "a string has 1 to " + LONGEST_STRING + " bytes, not " + stringBytes);
    }
    if (symbolBytes.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "symbols have 0 bytes or more, not " + symbolBytes.getAsLong());
    }
    if (unwindBytes < 0) {
      throw new IllegalArgumentException("unwind tables have 0 bytes or more, not " + unwindBytes);
    }
    if (pins.filter(directory -> !directory.isAbsolute()).isPresent()) {
      throw new IllegalArgumentException(
          pins.get() + " is relative: maps are pinned at an absolute path below /sys/fs/bpf");
    }
    if (staysAttached && pins.isEmpty()) {
      throw new IllegalArgumentException(
          "probes stay attached beside pinned maps only: pinnedAt(…) comes before"
              + " stayingAttached()");
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "ply-events");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * {@return these options with another maximum number of keys}
   *
   * @param keys at least 1
   * @throws IllegalArgumentException if it is less
   */
  public TraceOptions withMapEntries(int keys) {
    return with(changed -> changed.mapEntries = keys);
  }

  /**
   * {@return these options with another size of the buffer for events, 4 KiB to 1 GiB}
   *
   * @param bytes 4 KiB to 1 GiB, rounded up to a power of two
   * @throws IllegalArgumentException if it is out of range
   */
  public TraceOptions withBufferBytes(int bytes) {
    return with(changed -> changed.bufferBytes = bytes);
  }

  /**
   * {@return these options with another maximum number of stack frames}
   *
   * @param frames 1 to 127
   * @throws IllegalArgumentException if it is out of range
   */
  public TraceOptions withStackDepth(int frames) {
    return with(changed -> changed.stackDepth = frames);
  }

  /**
   * {@return these options with another size of strings}
   *
   * @param bytes 1 to 16384, including the NUL
   * @throws IllegalArgumentException if it is out of range
   */
  public TraceOptions withStringBytes(int bytes) {
    return with(changed -> changed.stringBytes = bytes);
  }

  /**
   * {@return these options with a way to attach}
   *
   * @param chosen used wherever it can be
   */
  public TraceOptions attachedBy(Mechanism chosen) {
    return with(changed -> changed.mechanism = Optional.of(chosen));
  }

  /** {@return these options without symbols of processes: their frames are addresses} */
  public TraceOptions withoutSymbols() {
    return with(changed -> changed.showsSymbols = false);
  }

  /**
   * {@return these options with a heap limit for symbols of processes, shared by all traces of a
   * tracer}
   *
   * <p>By default, all tracers of this process share a fifth of its heap. The symbols of a file are
   * read once for all traces of a tracer, and dropped when the last one that uses them closes.
   * Functions of files that do not fit are shown as addresses; {@link Session#symbolShortage} says
   * so.
   *
   * @param bytes at least 0; files of users other than root get at most half, a single file at most
   *     half of that
   * @throws IllegalArgumentException if it is negative
   */
  public TraceOptions withSymbolBytes(long bytes) {
    return with(changed -> changed.symbolBytes = OptionalLong.of(bytes));
  }

  /**
   * {@return these options for traces that ask no Java runtime for the names of its compiled
   * methods: none is signalled, or writes a file to its {@code /tmp}}
   *
   * <p>Perf maps that exist are read, such as those of {@code -XX:+UnlockDiagnosticVMOptions
   * -XX:+DumpPerfMapAtExit}.
   */
  public TraceOptions withoutPerfMaps() {
    return with(changed -> changed.writesPerfMaps = false);
  }

  /**
   * {@return these options with another limit of the kernel's memory for unwind tables, by which
   * user stacks are whole where code has no frame pointers}
   *
   * <p>Memory is allocated when it is used, 2 MiB at once: a table row takes 8 bytes, those of the
   * C library 190 kB, of a Java virtual machine 1 MB. Processes share the tables of files. Where
   * there is no more room, processes that have ended are dropped first, then those that were seen
   * first; the stacks of a process without tables are walked by frame pointers, which their last
   * frame says.
   *
   * @param bytes 256 MiB unless set; 0 to walk all stacks by frame pointers
   * @throws IllegalArgumentException if it is negative
   */
  public TraceOptions withUnwindBytes(long bytes) {
    return with(changed -> changed.unwindBytes = bytes);
  }

  /** {@return these options, with scripts allowed to change the system} */
  public TraceOptions unsafe() {
    return with(changed -> changed.safety = Safety.UNSAFE);
  }

  /**
   * {@return these options with another creator of threads, which are started once each}
   *
   * @param factory of daemon threads, if the program should be able to end while it traces
   */
  public TraceOptions withThreads(ThreadFactory factory) {
    return with(changed -> changed.threads = factory);
  }

  /**
   * Returns these options with a directory in which the maps of a trace are pinned: they outlive
   * the trace and its process, until {@link Tracer#unpin} or the next boot.
   *
   * <p>A trace whose directory has maps takes them up: it continues what an earlier one counted,
   * and shares them with those that run at this time, in this process or another. Updates of all
   * are counted exactly; each session has its own events and losses. {@link PreparedTrace#read}
   * reads results without tracing.
   *
   * <p>A directory belongs to one trace: the same probes or script with the same sizes, compiled by
   * the same version of ply. Preparing another one there throws {@link IllegalStateException} with
   * the first difference. On a simulated tracer, any path can be given, and the maps live as long
   * as the tracer.
   *
   * @param directory absolute, on a BPF filesystem, usually below {@code /sys/fs/bpf}; created if
   *     missing. Its name and the names above have no dot: the kernel reserves these
   * @return the options
   * @throws IllegalArgumentException if the path is relative
   */
  public TraceOptions pinnedAt(Path directory) {
    return with(changed -> changed.pins = Optional.of(directory));
  }

  /**
   * {@return these options for traces that stay attached when their session closes or their process
   * ends, killed or not}
   *
   * <p>The links of the probes are pinned beside the maps. The next session of the same trace takes
   * them up instead of attaching again: nothing is missed or counted twice, and BEGIN does not run
   * again. {@link Session#stop} or {@link Tracer#unpin} detaches, and nothing survives a boot.
   *
   * <p>For traces that collect in maps. One that sends events is refused with an {@link
   * IllegalArgumentException}: nobody reads them in between. Requires Linux 5.15 for tracepoints by
   * name, kprobes, uprobes and perf events, 5.7 for raw tracepoints, fentry and fexit. Probes that
   * attach through tracefs have no links and are refused when the trace starts. A simulated tracer
   * detaches when a session closes.
   *
   * @throws IllegalArgumentException without {@link #pinnedAt}
   */
  public TraceOptions stayingAttached() {
    return with(changed -> changed.staysAttached = true);
  }

  /**
   * {@return these options for programs that report what fails in them: reads of memory that is not
   * mapped, lookups of keys without a value, updates of full maps, divisions by zero, elements that
   * an array does not have}
   *
   * <p>{@link PreparedTrace#reportTo} receives a warning at the position of the expression, the
   * first time and then when the number of errors there has doubled, and the total when the trace
   * is stopped; {@link dev.ply.result.Loss#RUNTIME_ERRORS} counts them all. Without it such values
   * are zero, and programs have no instruction for this.
   */
  public TraceOptions reportingErrors() {
    return with(changed -> changed.reportsErrors = true);
  }

  /**
   * {@return these options for traces that can leave hits out while they cost too much: {@link
   * Session#sample}}
   *
   * <p>Programs have a few instructions more for it. A trace in which a hit reads what earlier ones
   * have left in a map, but for pairs such as {@code / @start[tid] / { … delete(@start[tid]); }},
   * runs, and cannot be sampled.
   */
  public TraceOptions allowingSampling() {
    return with(changed -> changed.allowsSampling = true);
  }

  /**
   * {@return these options for traces whose probes may be missing: a machine that lacks some of
   * them, or refuses them, attaches the others}
   *
   * @param reaction to probes that are missing
   */
  public TraceOptions withMissingProbes(MissingProbes reaction) {
    return with(changed -> changed.missingProbes = reaction);
  }

  /**
   * {@return a script with those of these options that a script can set}
   *
   * @param script whose own settings have precedence
   */
  public Script applyTo(Script script) {
    Map<Setting, String> defaults = new EnumMap<>(Setting.class);
    if (stringBytes != DEFAULT.stringBytes) {
      defaults.put(Setting.MAX_STRLEN, Integer.toString(stringBytes));
    }
    if (!writesPerfMaps) {
      defaults.put(Setting.WRITE_PERF_MAPS, Boolean.toString(false));
    }
    if (missingProbes != DEFAULT.missingProbes) {
      defaults.put(Setting.MISSING_PROBES, missingProbes.toString());
    }
    return defaults.isEmpty()
        ? script
        : script.withConfiguration(
            script.configuration().withDefaults(new Configuration(defaults)));
  }

  private TraceOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A copy of options, to change one of them. */
  private static final class Draft {
    private int mapEntries;
    private int bufferBytes;
    private int stackDepth;
    private int stringBytes;
    private Optional<Mechanism> mechanism;
    private boolean showsSymbols;
    private OptionalLong symbolBytes;
    private boolean writesPerfMaps;
    private long unwindBytes;
    private Safety safety;
    private ThreadFactory threads;
    private Optional<Path> pins;
    private boolean staysAttached;
    private boolean reportsErrors;
    private boolean allowsSampling;
    private MissingProbes missingProbes;

    Draft(TraceOptions options) {
      mapEntries = options.mapEntries;
      bufferBytes = options.bufferBytes;
      stackDepth = options.stackDepth;
      stringBytes = options.stringBytes;
      mechanism = options.mechanism;
      showsSymbols = options.showsSymbols;
      symbolBytes = options.symbolBytes;
      writesPerfMaps = options.writesPerfMaps;
      unwindBytes = options.unwindBytes;
      safety = options.safety;
      threads = options.threads;
      pins = options.pins;
      staysAttached = options.staysAttached;
      reportsErrors = options.reportsErrors;
      allowsSampling = options.allowsSampling;
      missingProbes = options.missingProbes;
    }

    TraceOptions options() {
      return new TraceOptions(
          mapEntries,
          bufferBytes,
          stackDepth,
          stringBytes,
          mechanism,
          showsSymbols,
          symbolBytes,
          writesPerfMaps,
          unwindBytes,
          safety,
          threads,
          pins,
          staysAttached,
          reportsErrors,
          allowsSampling,
          missingProbes);
    }
  }
}
