package dev.ply.bpf.machine;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.AttachedSite;
import dev.ply.result.CostMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs a loaded object: the kernel, or the virtual machine. Thread-safe except for {@link #poll},
 * by one thread at a time.
 */
public interface Machine extends AutoCloseable {
  /**
   * Receives an entry of a map; both buffers are in the target's byte order and valid during the
   * call only.
   */
  @FunctionalInterface
  interface EntryHandler {
    /**
     * Receives a key and its values, one for each CPU in per-CPU maps and all slots where values
     * have these, else a single one.
     */
    void entry(ByteBuffer key, List<ByteBuffer> values);
  }

  /** Receives the records of events in place, without copying. */
  @FunctionalInterface
  interface RecordHandler {
    /**
     * Receives the record of {@code length} bytes at {@code start}, a multiple of 8.
     *
     * @param memory in the target's byte order; read-only, and the record valid during the call
     *     only
     */
    void record(ByteBuffer memory, int start, int length);
  }

  /** Runs a program that is not attached: BEGIN, END; an iterator for each of its objects. */
  void run(ProbeProgram program);

  /** Runs a program that is not attached several times, and returns how long it ran in total. */
  default Duration measure(ProbeProgram program, int times) {
    long begin = System.nanoTime();
    for (int i = 0; i < times; i++) {
      run(program);
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /**
   * Opens what {@link #attach} will enable, and checks iterators, so that what the kernel refuses
   * is known before the trace runs anything; after an exception, nothing is open.
   *
   * @param programs all that are to be attached, and iterators
   */
  default void open(List<ProbeProgram> programs) {}

  /**
   * Attaches programs; after an exception, none.
   *
   * @return notes about skipped sites of patterns, and warnings of those that cannot fire
   */
  List<Diagnostic> attach(List<ProbeProgram> programs);

  /** Returns the current or last attachments. */
  List<AttachedSite> attachments();

  /** Returns the number of hits for which programs were not run; 0 where unknown. */
  default long missedRuns() {
    return 0;
  }

  /** Returns {@link #missedRuns} by the definition of the probe site. */
  default Map<String, Long> missedRunsByPoint() {
    return Map.of();
  }

  /** Begins to measure what programs cost; empty where they cannot be measured. */
  default Optional<CostMeter> measureCost() {
    return Optional.empty();
  }

  /**
   * Detaches all programs; none is running when it returns. Slow cleanup can be left to {@link
   * #close}.
   */
  void detach();

  /** Detaches the watchpoints at an address; none that is not attached. */
  default void unwatch(long address) {}

  /**
   * Ends this session's part in the trace: detaches all programs, except those that stay attached
   * without it.
   */
  default void leave() {
    detach();
  }

  /** Returns whether the programs are attached by an earlier session, and BEGIN has run. */
  default boolean isAttached() {
    return false;
  }

  /** Visits all entries of a map. */
  void read(BpfMap map, EntryHandler handler);

  /** Removes all entries of a map, or zeroes them where they cannot be removed. */
  void clear(BpfMap map);

  /** Sets all values of a map to zero and keeps its keys. */
  default void zero(BpfMap map) {
    zero(map, key -> true);
  }

  /**
   * Sets the values of some keys of a map to zero and keeps their keys.
   *
   * @param keys which; the buffer is valid during the call only
   */
  void zero(BpfMap map, Predicate<ByteBuffer> keys);

  /** Removes a key and returns its last values; empty if it did not exist. */
  Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key);

  /**
   * Creates or replaces an entry of a map that is not per CPU.
   *
   * @param key in the target's byte order
   * @param value in the target's byte order
   * @throws IllegalStateException if the map is full
   */
  void update(BpfMap map, byte[] key, byte[] value);

  /** Returns the value of a 32-bit key; empty if the map does not have it. */
  Optional<ByteBuffer> value(BpfMap map, int key);

  /**
   * Delivers events in the order of their reservation, waiting up to {@code timeout} for the first.
   *
   * @return the number of events
   */
  int poll(Duration timeout, RecordHandler records);

  /** Returns the time in ns of the clock that periods are measured by. */
  default long now() {
    return System.nanoTime();
  }

  /**
   * Returns the first {@code limit} bytes of a regular file, or all if it has fewer.
   *
   * @param path absolute, or relative to the tracer's directory; decoded by {@link
   *     dev.ply.type.TextBytes}
   * @throws IOException if it is something else, or cannot be read
   */
  byte[] readFile(String path, int limit) throws IOException;

  /**
   * Starts a script by {@code /bin/sh}, in the tracer's directory.
   *
   * @param script and its parameters {@code $1} and so on, encoded as {@link
   *     dev.ply.type.TextBytes} does
   * @throws IOException if it cannot be started
   */
  default RunningScript start(String script, List<String> parameters) throws IOException {
    return ScriptProcess.start(script, parameters);
  }

  /** Returns whether a trace on this machine can write files. */
  default boolean hasFiles() {
    return true;
  }

  /** Reads the unwind tables that programs want, soon; does not wait. */
  default void readTables() {}

  /** Makes a waiting {@link #poll} on another thread return. */
  void wakeUp();

  @Override
  void close();
}
