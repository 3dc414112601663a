package dev.ply.bpf.session;

import dev.ply.Session;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What runs a loaded object: the kernel, or the virtual machine. Thread-safe but for {@link #poll},
 * one thread at a time.
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

  /** Receives the records of events, each where it lies: nothing is copied or made for it. */
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

  /** Runs a program that is not attached anywhere: BEGIN, END. */
  void run(ProbeProgram program);

  /**
   * Attaches programs where they belong; all or, after an exception, none.
   *
   * @return what to tell about the places that patterns mean and that were left out
   */
  List<Diagnostic> attach(List<ProbeProgram> programs);

  /** Returns where programs are attached, or were last, and how. */
  List<Session.Attached> attachments();

  /** Returns how often a program should have run and could not; 0 where nobody counts that. */
  long missedRuns();

  /**
   * Detaches all programs; when it returns, none of them runs any more. What takes longer may wait
   * for {@link #close}.
   */
  void detach();

  /** Hands over all entries of a map. */
  void read(BpfMap map, EntryHandler handler);

  /** Removes all entries of a map, or zeroes them where they cannot be removed. */
  void clear(BpfMap map);

  /** Removes a key and returns the last values it had; empty if it was not there. */
  Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key);

  /**
   * Returns the addresses of a stack trace, the innermost first; empty if the map has none of that
   * number.
   */
  List<Long> stack(BpfMap map, int id);

  /**
   * Hands over the events that were sent, in the order in which programs reserved them, waiting up
   * to {@code timeout} for the first.
   *
   * @return how many there were
   */
  int poll(Duration timeout, RecordHandler records);

  /** Has a {@link #poll} that waits on another thread return soon. */
  void wakeUp();

  @Override
  void close();
}
