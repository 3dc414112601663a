package dev.ply;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.Datum;
import dev.ply.result.Table;
import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A running trace. Thread-safe. Results can be read while it runs and after {@link #stop}; closing
 * it detaches everything and frees the kernel's memory.
 */
public interface Session extends AutoCloseable {
  /**
   * A script's map with its name.
   *
   * @param name as the script writes it
   */
  record NamedTable(String name, Table<Datum> table) {}

  /**
   * How a trace ended. It is detached when it is stopped or closed; until then events that come
   * after its end are discarded.
   */
  sealed interface End {
    /** The script called {@code exit}. */
    record Exited(int status) implements End {}

    /** The session was stopped or closed. */
    record Stopped() implements End {}

    /**
     * Handling an event or detaching failed.
     *
     * @param cause what was thrown first, an error perhaps; what was thrown later is suppressed in
     *     it
     */
    record Failed(Throwable cause) implements End {}
  }

  /** Returns how the trace ended, empty while it runs. */
  Optional<End> end();

  /**
   * Waits until the trace ends by itself, or for {@code timeout}.
   *
   * @return whether it has ended
   * @throws TraceFailedException if it ended because handling its events failed
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * Returns what the author of the script should know about where it is attached: the places that a
   * pattern means and the kernel refused.
   */
  List<Diagnostic> notes();

  /**
   * Where a program was attached, how, and why so.
   *
   * @param point the place as scripts write it
   * @param reason why this mechanism was chosen, a sentence without its end
   */
  record Attached(String point, Mechanism mechanism, String reason) {}

  /** Returns where the trace's programs were attached, in the order of the script. */
  List<Attached> attachments();

  /** Returns the status with which the trace ended itself, empty while it runs. */
  OptionalInt exitStatus();

  /** Returns a snapshot of what a probe of this session has collected. */
  <V> Table<V> read(AggregateProbe<V> probe);

  /**
   * Returns what a probe of this session has collected since it was last taken or cleared, and has
   * it begin anew: whatever is counted meanwhile is in this table or in the next.
   */
  <V> Table<V> take(AggregateProbe<V> probe);

  /** Forgets what a probe of this session has collected. */
  void clear(AggregateProbe<?> probe);

  /** Returns snapshots of all maps in the order they first appear in the script. */
  List<NamedTable> tables();

  /** Returns how many events found the buffer full and are lost. */
  long lostEvents();

  /** Returns how many updates found their map full and are lost. */
  long failedUpdates();

  /** Returns how many stack traces the kernel could not store and are lost. */
  long lostStacks();

  /** Returns how many loops were stopped before their end, after 1,024 rounds. */
  long stoppedLoops();

  /**
   * Returns how often the kernel came to a probe and could not run its program: it interrupted
   * another of ours on that processor, or more calls were under way than a kretprobe remembers.
   * Until {@link #stop} it may lag behind. Kernels count it since Linux 5.12 for functions attached
   * to by trampolines, 6.1 for raw tracepoints and 6.7 for the others; it is 0 before.
   */
  long missedRuns();

  /**
   * Returns why functions of processes are shown as addresses though their names might have been
   * found, as a message: files of other users may cost a trace a limited amount of time and memory.
   * Empty if that was enough.
   */
  Optional<String> symbolShortage();

  /**
   * Limits how long reading results and {@link #stop} wait, all together, for the names of
   * functions of processes, from now on and on any thread. Functions whose names are not known by
   * then are shown as addresses.
   */
  void limitSymbolWait(Duration most);

  /**
   * Detaches all probes, runs what happens last and delivers what was sent until then; results can
   * be read afterwards, whatever fails. Does nothing the second time.
   *
   * @throws TraceFailedException if something failed since the start
   * @throws IllegalStateException if called by what the session prints to
   */
  void stop();

  /**
   * Returns how many events were dropped by {@link #close}, because what they are printed to was
   * too slow.
   */
  long undeliveredEvents();

  /**
   * Stops the trace without what happens last, and frees the kernel's memory. Each tracepoint and
   * function it was attached to may take the kernel tens of milliseconds. Events that wait are
   * delivered for a second at most.
   *
   * @throws IllegalStateException if called by what the session prints to
   */
  @Override
  void close();
}
