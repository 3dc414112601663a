package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.builtin.EmitFunction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The listeners, streams and subscribers of a trace's events. One thread at a time delivers events,
 * and never waits for streams and subscribers; everything else is thread-safe.
 */
final class EventListeners {
  private final IdentityHashMap<EmitFunction<?>, Channel> byFunction = new IdentityHashMap<>();
  private final List<Optional<Site>> sites = new ArrayList<>();
  private final List<Consumer<Optional<RuntimeException>>> atEnd = new ArrayList<>();
  private final AtomicLong dropped = new AtomicLong();
  private final boolean waits;
  private Optional<Optional<RuntimeException>> end = Optional.empty();

  /** The decoder of a site's records, and the listeners to its probe. */
  private record Site(EventDecoder decoder, Channel channel) {}

  /** The listeners to a probe. */
  private static final class Channel {
    private volatile List<Consumer<Record>> listeners = List.of();

    synchronized void add(Consumer<Record> listener) {
      List<Consumer<Record>> more = new ArrayList<>(listeners);
      more.add(listener);
      listeners = List.copyOf(more);
    }

    synchronized void remove(Consumer<Record> listener) {
      List<Consumer<Record>> fewer = new ArrayList<>(listeners);
      fewer.remove(listener);
      listeners = List.copyOf(fewer);
    }
  }

  /**
   * Creates the listeners of a trace, none yet.
   *
   * @param events all sites of the trace
   * @param waits whether events arrive while a thread reads a stream
   */
  EventListeners(List<EventSite> events, ComponentReaders readers, boolean waits) {
    this.waits = waits;
    for (EventSite event : events) {
      sites.add(
          event instanceof EventSite.Emit emit
              ? Optional.of(new Site(EventDecoder.of(emit, readers), channel(emit.function())))
              : Optional.empty());
    }
  }

  private synchronized Channel channel(EmitFunction<?> function) {
    return byFunction.computeIfAbsent(function, unused -> new Channel());
  }

  /** Delivers the record at {@code start} to the listeners of its probe. */
  void deliver(EventSite.Emit emit, ByteBuffer memory, int start) {
    Site site = sites.get(emit.id()).orElseThrow();
    List<Consumer<Record>> listeners = site.channel().listeners;
    int count = listeners.size();
    if (count == 0) {
      return;
    }
    Record event = site.decoder().decode(memory, start);
    for (int i = 0; i < count; i++) {
      listeners.get(i).accept(event);
    }
  }

  /** Passes the events of a function to a listener. */
  <E extends Record> void listen(EmitFunction<E> function, Consumer<? super E> listener) {
    Class<E> type = function.binding().type();
    channel(function).add(event -> listener.accept(type.cast(event)));
  }

  /**
   * Returns the events of a function from now on.
   *
   * @param owner kept reachable by the stream
   */
  <E extends Record> Stream<E> stream(EmitFunction<E> function, Object owner) {
    Class<E> type = function.binding().type();
    EventQueue<E> queue = new EventQueue<>(waits);
    Channel channel = channel(function);
    Consumer<Record> listener =
        event -> {
          if (!queue.offer(type.cast(event))) {
            dropped.incrementAndGet();
          }
        };
    channel.add(listener);
    atEnd(queue::end);
    return StreamSupport.stream(queue.events(owner), false)
        .onClose(
            () -> {
              channel.remove(listener);
              queue.close();
            });
  }

  /** Returns a publisher of the events of a function, which never waits for its subscribers. */
  <E extends Record> Flow.Publisher<E> publisher(EmitFunction<E> function) {
    Class<E> type = function.binding().type();
    SubmissionPublisher<E> publisher =
        new SubmissionPublisher<>(ForkJoinPool.commonPool(), EventQueue.CAPACITY);
    channel(function)
        .add(
            event -> {
              if (!publisher.isClosed()) {
                // Negative if some subscribers had no room.
                dropped.addAndGet(-Math.min(0, publisher.offer(type.cast(event), null)));
              }
            });
    atEnd(failure -> failure.ifPresentOrElse(publisher::closeExceptionally, publisher::close));
    return publisher;
  }

  /** Returns the number of events that found no room in a queue. */
  long dropped() {
    return dropped.get();
  }

  private void atEnd(Consumer<Optional<RuntimeException>> action) {
    Optional<Optional<RuntimeException>> before;
    synchronized (this) {
      before = end;
      if (before.isEmpty()) {
        atEnd.add(action);
      }
    }
    before.ifPresent(action);
  }

  /** Ends streams and publishers after the events so far; with the failure of the trace, if any. */
  void end(Optional<RuntimeException> failure) {
    List<Consumer<Optional<RuntimeException>>> actions;
    synchronized (this) {
      if (end.isPresent()) {
        return;
      }
      end = Optional.of(failure);
      actions = List.copyOf(atEnd);
    }
    actions.forEach(action -> action.accept(failure));
  }
}
