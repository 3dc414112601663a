package dev.ply;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.AttachedSite;
import dev.ply.result.CostMeter;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.result.Losses;
import dev.ply.result.Result;
import dev.ply.result.TraceCost;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A running trace. Thread-safe. Results can be read while it runs and after {@link #stop}; closing
 * it detaches all probes and frees the kernel's memory.
 */
public interface Session extends AutoCloseable {
  /** The largest number of hits of which one is examined. */
  int MOST_SAMPLED = 1_000_000;

  /** {@return why the trace ended, empty while it runs} */
  Optional<EndReason> end();

  /**
   * Waits until the trace ends by itself, or for {@code timeout}.
   *
   * @param timeout not waited if zero or negative
   * @return whether it has ended
   * @throws TraceFailedException if handling its events failed
   * @throws java.lang.InterruptedException if the thread is interrupted while it waits
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * {@return warnings and notes about attaching: probe sites of patterns that the kernel refused,
   * watchpoints of a machine whose breakpoints do not fire}
   */
  List<Diagnostic> notes();

  /** {@return the attached probe sites, in script order} */
  List<AttachedSite> attachments();

  /** {@return the status of {@code exit}, empty if it has not been called} */
  OptionalInt exitStatus();

  /**
   * {@return a snapshot of the results of a probe of this session}
   *
   * @param <V> the type of results
   * @param probe of this session
   */
  <V> Table<V> read(AggregateProbe<V> probe);

  /**
   * {@return the results of a probe since they were last taken or cleared, and clears them: each
   * concurrent update is in this table or in the next}
   *
   * @param <V> the type of results
   * @param probe of this session
   */
  <V> Table<V> take(AggregateProbe<V> probe);

  /**
   * Returns a snapshot of a variable: its values by key; a variable without keys has one row, with
   * an empty key.
   *
   * @param variable of a probe of this session; for a script, {@code Values.variable("@name")}
   * @return the rows, none before the variable is first set
   * @throws IllegalArgumentException if the trace has no such variable
   */
  Table<Datum> read(Variable variable);

  /**
   * Sets a variable of the trace to a number: programs that run from now on read it, those that run
   * at this moment read either. A change in place, {@code add}, by a program at this moment can be
   * lost.
   *
   * @param variable one that a probe of this session sets, in {@code BEGIN} at least, so that it
   *     has a type; for a script, {@code Values.variable("@name")}
   * @param value in the range of the variable's type; an unsigned one of 64 bits keeps its bits
   * @param keys a part of the key each, as {@link Table#get} takes them; none if the variable has
   *     no keys
   * @throws IllegalArgumentException if the trace has no such variable, if it aggregates, or if it
   *     does not have this value or these keys
   * @throws IllegalStateException if the variable has as many keys as it can have, or the session
   *     is closed
   */
  void set(Variable variable, long value, Object... keys);

  /**
   * Sets a variable of the trace to a string, as {@link #set(Variable, long, Object...)} does.
   *
   * @param variable one that a probe of this session sets
   * @param value shorter in UTF-8 than the variable's type is long
   * @param keys a part of the key each
   * @throws IllegalArgumentException as there
   * @throws IllegalStateException as there
   */
  void set(Variable variable, String value, Object... keys);

  /**
   * Clears the results of a probe of this session.
   *
   * @param probe of this session
   */
  void clear(AggregateProbe<?> probe);

  /**
   * {@return the events of a probe from now on, as a stream that waits for them} It ends when the
   * trace does: by {@code exit}, {@link #stop} or {@link #close}, or if the reading thread is
   * interrupted, which leaves its interrupt status set. In a simulated trace it ends when no event
   * is pending.
   *
   * <p>Up to 65,536 events wait for the stream; {@link Loss#DROPPED} counts what does not fit. A
   * stream that is not read to its end should be closed.
   *
   * @param <E> the record
   * @param probe of this session
   * @throws IllegalArgumentException if the probe is not part of the session
   */
  <E extends Record> Stream<E> stream(EventProbe<E> probe);

  /**
   * {@return the events of a probe as a publisher, for any number of subscribers; each receives
   * what is sent after it has subscribed} Completed when the trace ends by {@code exit}, {@link
   * #stop} or {@link #close}; {@link TraceFailedException} is its error.
   *
   * <p>A subscriber that is slow, blocked, or fails never delays probes, listeners or other
   * subscribers: up to 65,536 events wait for each, and {@link #dropped(Flow.Subscriber)} counts
   * what does not fit. Each is called by a thread of the trace's own while it has events ({@link
   * TraceOptions#withThreads}), one at a time, also after the end of the trace. One that throws is
   * cancelled and receives the exception.
   *
   * @param <E> the record
   * @param probe of this session
   * @throws IllegalArgumentException if the probe is not part of the session
   */
  <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe);

  /**
   * {@return the events of a probe as {@link #publisher(EventProbe)} does, with subscribers that an
   * executor calls}
   *
   * @param <E> the record
   * @param probe of this session
   * @param executor has a task for each subscriber with events, which ends when it has received
   *     them: a slow subscriber delays the others if the executor has fewer threads, and all events
   *     if it runs tasks on the calling thread. What a subscriber misses because its task is
   *     refused is counted as dropped
   * @throws IllegalArgumentException if the probe is not part of the session
   */
  <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe, Executor executor);

  /**
   * {@return every result of the trace, for any number of subscribers, as {@link
   * #publisher(EventProbe)} has the events of a probe} Completed after {@link Result.End}, also if
   * the trace has failed.
   */
  Flow.Publisher<Result> results();

  /**
   * Passes a snapshot of all maps to an action, and to the listeners to all results, after each
   * period: everything since the start of the trace, or since a map was cleared.
   *
   * @param period longer than zero; one that is missed, because the action takes longer, is skipped
   * @param action as for {@link #every}
   * @throws IllegalStateException if the trace was stopped
   */
  void totalsEvery(Duration period, Consumer<? super Result.Snapshot> action);

  /**
   * Passes what was added to all maps to an action, and to the listeners to all results, after each
   * period: each update is in exactly one snapshot, even if the script clears a map in between. The
   * maps themselves do not change.
   *
   * <p>Counts, sums, averages, statistics and distributions are those of the period. Minima,
   * maxima, series and stored values cannot be subtracted: those that have changed are included
   * with their current value. Of a map that is cleared more often, a snapshot has at most twice the
   * keys that the map holds at once; others are counted, {@link Loss#ADDED_KEYS}.
   *
   * @param period longer than zero; one that is missed, because the action takes longer, is skipped
   * @param action as for {@link #every}; called a last time when the trace is stopped
   * @throws IllegalStateException if the trace was stopped
   */
  void addedEvery(Duration period, Consumer<? super Result.Snapshot> action);

  /**
   * {@return what supplies the updates of all maps since its last call, the first time all that the
   * maps hold: each update is in exactly one snapshot, as {@link #addedEvery} passes them} For
   * programs that are asked for results, as metrics are, rather than write them. Stored values,
   * minima, maxima and series are supplied when they have changed.
   *
   * <p>Until the trace is closed; the supplier is thread-safe.
   */
  Supplier<Result.Snapshot> added();

  /**
   * Passes the results of a probe to an action after each period, as {@link #take} returns them:
   * each update is in exactly one table. Stopping the trace passes what remains, closing it does
   * not.
   *
   * <p>A simulated trace runs actions when its clock is advanced, once for all periods that have
   * passed.
   *
   * @param <V> the type of results
   * @param period longer than zero; one that is missed, because the action takes longer, is skipped
   * @param probe of this session
   * @param action called by a thread of its own; an exception ends the trace. It cannot stop or
   *     close the session
   * @throws IllegalArgumentException if the probe is not part of the session
   * @throws IllegalStateException if the trace was stopped
   */
  <V> void every(Duration period, AggregateProbe<V> probe, Consumer<? super Table<V>> action);

  /**
   * Runs the clauses of a probe that is attached nowhere, once, on this thread; its events are
   * handled when it returns, also after the trace has ended by itself. Programs do so when they
   * receive a signal, and for tests of scripts.
   *
   * @param probe as scripts write it: {@code self:signal:SIGUSR1}, {@code test:name}, {@code
   *     bench:name}
   * @return the status of {@code exit} if the clauses called it
   * @throws IllegalArgumentException if the trace has no such probe
   * @throws IllegalStateException if the trace was stopped
   */
  OptionalInt run(String probe);

  /**
   * Runs the clauses of a probe that is attached nowhere several times, on this thread.
   *
   * @param probe as for {@link #run}
   * @param times at least 1
   * @return how long its program has run in total, by the kernel's clock
   * @throws IllegalArgumentException if the trace has no such probe
   * @throws IllegalStateException if the trace was stopped
   */
  Duration measure(String probe, int times);

  /**
   * Calls a listener once when the trace ends, with the reason; at once if it has ended.
   *
   * @param listener called by the thread that ends the trace; it cannot stop or close the session
   */
  void onEnd(Consumer<? super EndReason> listener);

  /**
   * Calls a listener when the trace fails, with the first exception: of an output stream, of a
   * listener or periodic action, or of the kernel.
   *
   * @param listener as for {@link #onEnd}
   */
  default void onError(Consumer<? super Throwable> listener) {
    onEnd(
        end -> {
          if (end instanceof EndReason.Failed failed) {
            listener.accept(failed.cause());
          }
        });
  }

  /**
   * Begins to measure what the trace costs: hits of the probes and how long their programs run.
   * Until the meter is closed, each run of each BPF program of the system takes some tens of
   * nanoseconds longer ({@link TraceCost#measuring}). Requires Linux 5.8.
   *
   * @return the meter, to be closed; empty where nothing can be measured: on a simulated machine,
   *     or without CAP_SYS_ADMIN
   */
  Optional<CostMeter> measureCost();

  /**
   * Leaves hits out, from now on: one of {@code oneOf} is examined, chosen at random. What it adds
   * to counts, sums, averages and distributions is multiplied, so that these are estimates of what
   * all hits would have added. Minima, maxima and stored values are those of the examined hits, and
   * events of others are not sent. BEGIN, END, timers and iterators are complete, and so are both
   * halves of a pair: {@code / @start[tid] / { … delete(@start[tid]); }} counts the calls of which
   * the first half was chosen. Listeners to all results receive {@link Result.Sampled}.
   *
   * @param oneOf 1 for all hits, at most {@value #MOST_SAMPLED}
   * @throws IllegalArgumentException if it is out of range
   * @throws IllegalStateException if the trace cannot be sampled, with the reason; always without
   *     {@link TraceOptions#allowingSampling}
   */
  void sample(int oneOf);

  /** {@return everything that the trace has lost so far} */
  Losses losses();

  /**
   * {@return how many of a kind the trace has lost so far, cheaper than all {@link #losses}}
   *
   * @param loss of any kind
   */
  long lost(Loss loss);

  /**
   * {@return the number of events that did not reach a subscriber of this trace's publishers: it
   * was too slow, or its executor refused it}
   *
   * @param subscriber the object itself, not an equal one
   */
  long dropped(Flow.Subscriber<?> subscriber);

  /**
   * {@return a snapshot of a map}
   *
   * @param name as the script writes it: {@code @latency}, {@code begun}
   * @throws IllegalArgumentException if the trace has no such map
   */
  Table<Datum> table(String name);

  /** {@return what is known about the maps of {@link #tables}, in their order} */
  List<TableSchema> schemas();

  /** {@return snapshots of all maps, in order of first appearance in the script} */
  List<NamedTable> tables();

  /**
   * {@return why some user addresses have no symbols, as a message: reading other users' files is
   * limited in time and memory per trace} Empty if the limits were not reached.
   */
  Optional<String> symbolShortage();

  /**
   * Limits how long reading results and {@link #stop} wait, in total, for user symbols, from now on
   * and on any thread. Functions without a symbol by then are shown as addresses.
   *
   * @param most 0 to wait for none
   */
  void limitSymbolWait(Duration most);

  /**
   * Limits how long {@link #stop} waits for the commands and files of {@code system} and {@code
   * cat} that are running or pending, from now on; those of END have as long again. Commands that
   * take longer are killed with all that they have started, later ones are not run; both are
   * reported.
   *
   * @param most 0 to wait for none
   */
  void limitCommandWait(Duration most);

  /**
   * Limits how long {@link #stop} waits for maps that events print ({@code print(@)} of an
   * interval, say), from now on. Output that is not printed by then is left out, and reported. What
   * END prints has all the time that it needs, unless the trace is being stopped already.
   *
   * @param most 0 to wait for none
   */
  void limitPrintWait(Duration most);

  /**
   * Detaches all probes, runs END and delivers all pending events; results can be read afterwards,
   * even after a failure. Ends a trace that stays attached ({@link TraceOptions#stayingAttached})
   * for good, once other sessions that have taken it up are closed. Idempotent.
   *
   * @throws TraceFailedException if anything failed since the start
   * @throws IllegalStateException if called by the consumer of this session's output
   */
  void stop();

  /**
   * Stops the trace without running END, and frees the kernel's memory. Detaching can take tens of
   * milliseconds per probe site. Pending events are delivered for at most a second. Leaves a trace
   * that stays attached ({@link TraceOptions#stayingAttached}) to the next session.
   *
   * @throws IllegalStateException if called by the consumer of this session's output
   */
  @Override
  void close();
}
