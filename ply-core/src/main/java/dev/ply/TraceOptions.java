package dev.ply;

import dev.ply.ir.Configuration;
import dev.ply.ir.Script;
import dev.ply.ir.Setting;
import dev.ply.target.Mechanism;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

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
 * @param stringBytes the size of strings of {@link Values#str(Value)} including the NUL, 1 to 1024,
 *     128 by default
 * @param mechanism the way to attach wherever possible, by default the cheapest
 * @param showsSymbols whether addresses of processes are symbolised, which reads files of other
 *     users
 * @param safety whether scripts may change the system, by default not
 * @param threads creates the threads that read events; daemon threads by default
 */
public record TraceOptions(
    int mapEntries,
    int bufferBytes,
    int stackDepth,
    int stringBytes,
    Optional<Mechanism> mechanism,
    boolean showsSymbols,
    Safety safety,
    ThreadFactory threads) {
  /** The defaults. */
  public static final TraceOptions DEFAULT =
      new TraceOptions(
          4096, 1 << 25, 32, 128, Optional.empty(), true, Safety.SAFE, TraceOptions::daemon);

  private static final int LONGEST_STRING = 1024;

  public TraceOptions {
    if (stringBytes < 1 || stringBytes > LONGEST_STRING) {
      throw new IllegalArgumentException(
          "a string has 1 to " + LONGEST_STRING + " bytes, not " + stringBytes);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "ply-events");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns these options with another maximum number of keys. */
  public TraceOptions withMapEntries(int keys) {
    return new TraceOptions(
        keys, bufferBytes, stackDepth, stringBytes, mechanism, showsSymbols, safety, threads);
  }

  /** Returns these options with another size of the buffer for events, 4 KiB to 1 GiB. */
  public TraceOptions withBufferBytes(int bytes) {
    return new TraceOptions(
        mapEntries, bytes, stackDepth, stringBytes, mechanism, showsSymbols, safety, threads);
  }

  /** Returns these options with another maximum number of stack frames. */
  public TraceOptions withStackDepth(int frames) {
    return new TraceOptions(
        mapEntries, bufferBytes, frames, stringBytes, mechanism, showsSymbols, safety, threads);
  }

  /** Returns these options with another size of strings. */
  public TraceOptions withStringBytes(int bytes) {
    return new TraceOptions(
        mapEntries, bufferBytes, stackDepth, bytes, mechanism, showsSymbols, safety, threads);
  }

  /** Returns these options with a way to attach. */
  public TraceOptions attachedBy(Mechanism chosen) {
    return new TraceOptions(
        mapEntries,
        bufferBytes,
        stackDepth,
        stringBytes,
        Optional.of(chosen),
        showsSymbols,
        safety,
        threads);
  }

  /** Returns these options without symbols of processes: their frames are addresses. */
  public TraceOptions withoutSymbols() {
    return new TraceOptions(
        mapEntries, bufferBytes, stackDepth, stringBytes, mechanism, false, safety, threads);
  }

  /** Returns these options, with scripts allowed to change the system. */
  public TraceOptions unsafe() {
    return new TraceOptions(
        mapEntries,
        bufferBytes,
        stackDepth,
        stringBytes,
        mechanism,
        showsSymbols,
        Safety.UNSAFE,
        threads);
  }

  /** Returns these options with another creator of threads, which are started once each. */
  public TraceOptions withThreads(ThreadFactory factory) {
    return new TraceOptions(
        mapEntries, bufferBytes, stackDepth, stringBytes, mechanism, showsSymbols, safety, factory);
  }

  /** Returns a script with those of these options that a script can set. */
  public Script applyTo(Script script) {
    if (stringBytes == DEFAULT.stringBytes) {
      return script;
    }
    Configuration defaults =
        new Configuration(Map.of(Setting.MAX_STRLEN, Integer.toString(stringBytes)));
    return script.withConfiguration(script.configuration().withDefaults(defaults));
  }
}
