package dev.ply;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.layout.Layout;
import dev.ply.result.EventShape;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A compiled, verified and loaded trace that can be started once. Closing it before that releases
 * it.
 */
public interface PreparedTrace extends AutoCloseable {
  /** {@return the programs in the kernel's notation, each instruction with its source line} */
  String disassembly();

  /** {@return warnings and notes for the author of the script} */
  List<Diagnostic> warnings();

  /**
   * Passes the output of probes to {@code printer} in pieces, newlines included; by default, output
   * is dropped.
   *
   * @param printer called by one thread at a time
   * @return this trace
   * @throws IllegalStateException if the trace was started or closed
   */
  default PreparedTrace printTo(Consumer<String> printer) {
    return writeTo(new PieceStream(printer));
  }

  /**
   * Writes the output of probes to {@code out} in ply's layout, as {@link #writeTo(OutputStream,
   * Layout)} does.
   *
   * @param out called by one thread at a time; should be buffered
   * @return this trace
   * @throws IllegalStateException if the trace was started or closed
   */
  default PreparedTrace writeTo(OutputStream out) {
    return writeTo(out, Layout.PLY);
  }

  /**
   * Writes the output of probes to {@code out} in UTF-8, each piece in one call, and flushes it
   * when no further output is pending; allocates nothing per event, except in JSON. An exception of
   * {@code out} stops the trace. Control characters and invalid UTF-8 in traced data are {@link
   * dev.ply.type.Escapes escaped}, except for {@link Layout#PLY_RAW}.
   *
   * @param out called by one thread at a time; should be buffered
   * @param layout whose format the output has: that of ply, bpftrace or JSON
   * @return this trace
   * @throws IllegalStateException if the trace was started or closed
   */
  PreparedTrace writeTo(OutputStream out, Layout layout);

  /**
   * Passes each event of a probe to a listener, in order, from the first one on. A probe can have
   * several listeners; an exception of one stops the trace.
   *
   * @param <E> the record
   * @param probe of this trace
   * @param listener called by one thread at a time, which handles all events of the trace: a slow
   *     one delays them and finally fills the ring buffer, which {@link dev.ply.result.Loss#EVENTS}
   *     counts
   * @return this trace
   * @throws IllegalArgumentException if the probe is not part of the trace
   * @throws IllegalStateException if the trace was started or closed
   */
  <E extends Record> PreparedTrace listen(EventProbe<E> probe, Consumer<? super E> listener);

  /**
   * Passes every result to a listener, in order, from the first one on: attached probes, events,
   * printed lines and maps, reports, losses, the final maps, and last {@link Result.End}. An
   * exception of the listener stops the trace.
   *
   * @param listener called by one thread at a time, which handles all events of the trace: a slow
   *     one delays them, as for {@link #listen(EventProbe, Consumer)}
   * @return this trace
   * @throws IllegalStateException if the trace was started or closed
   */
  PreparedTrace listen(Consumer<? super Result> listener);

  /**
   * {@return every result as {@link Session#results} does, from the first one on for who subscribes
   * before the start}
   *
   * @throws IllegalStateException if the trace was started or closed
   */
  Flow.Publisher<Result> results();

  /**
   * {@return the events of a probe as {@link Session#publisher(EventProbe)} does, from the first
   * one on for who subscribes before the start}
   *
   * @param <E> the record
   * @param probe of this trace
   * @throws IllegalArgumentException if the probe is not part of the trace
   * @throws IllegalStateException if the trace was started or closed
   */
  <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe);

  /**
   * {@return the events of a probe as {@link Session#publisher(EventProbe, Executor)} does, from
   * the first one on for who subscribes before the start}
   *
   * @param <E> the record
   * @param probe of this trace
   * @param executor calls the subscribers
   * @throws IllegalArgumentException if the probe is not part of the trace
   * @throws IllegalStateException if the trace was started or closed
   */
  <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe, Executor executor);

  /**
   * {@return the events of a probe as {@link Session#stream} does, from the first one on; to be
   * read after the start}
   *
   * @param <E> the record
   * @param probe of this trace
   * @throws IllegalArgumentException if the probe is not part of the trace
   * @throws IllegalStateException if the trace was started or closed
   */
  <E extends Record> Stream<E> stream(EventProbe<E> probe);

  /**
   * Returns a snapshot of the results of a probe without tracing: those of other traces whose maps
   * are pinned in the same directory ({@link TraceOptions#pinnedAt}), else none.
   *
   * @param probe of this trace
   * @param <V> the type of results
   * @return the rows, ascending by value
   * @throws IllegalArgumentException if the probe is not part of the trace
   */
  <V> Table<V> read(AggregateProbe<V> probe);

  /**
   * Returns a snapshot of a map without tracing, as {@link #read} does.
   *
   * @param name as the script writes it: {@code @latency}, {@code begun}
   * @return the rows, ascending by value
   * @throws IllegalArgumentException if the trace has no such map
   */
  Table<Datum> table(String name);

  /** {@return what is known about the maps of the trace, in order of first appearance} */
  List<TableSchema> schemas();

  /** {@return what is known about the events of each call that sends some, in script order} */
  List<EventShape> events();

  /**
   * Passes what goes wrong while tracing to {@code receiver}: files and commands that fail, and the
   * script's own warnings and errors. By default it is logged.
   *
   * @param receiver called by one thread at a time
   * @return this trace
   * @throws IllegalStateException if the trace was started or closed
   */
  PreparedTrace reportTo(Consumer<Diagnostic> receiver);

  /**
   * Runs BEGIN, attaches all probes and returns the running trace, which takes over the resources.
   *
   * @return the running trace
   */
  Session start();

  @Override
  void close();
}
