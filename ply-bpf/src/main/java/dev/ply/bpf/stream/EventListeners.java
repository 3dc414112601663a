package dev.ply.bpf.stream;

import dev.ply.bpf.decode.ComponentReaders;
import dev.ply.bpf.decode.EventDecoder;
import dev.ply.bpf.object.EventSite;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.result.Result;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The listeners, streams and subscribers of a trace's events. One thread at a time delivers events,
 * and never waits for streams and subscribers; everything else is thread-safe.
 */
public final class EventListeners {
  private final IdentityHashMap<EmitFunction<?>, Channel> byFunction = new IdentityHashMap<>();
  private final List<Optional<Site>> sites = new ArrayList<>();
  private final List<Consumer<Optional<RuntimeException>>> atEnd = new ArrayList<>();
  private final List<EventPublisher<?>> publishers = new CopyOnWriteArrayList<>();
  private final AtomicLong droppedByStreams = new AtomicLong();
  private final SubscriberThreads subscriberThreads;
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
   * @param threads creates the threads of subscribers
   * @param waits whether events arrive while a thread reads a stream
   */
  public EventListeners(
      List<EventSite> events, ComponentReaders readers, ThreadFactory threads, boolean waits) {
    this.subscriberThreads = new SubscriberThreads(threads);
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
  public void deliver(EventSite.Emit emit, ByteBuffer memory, int start) {
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
  public <E extends Record> void listen(EmitFunction<E> function, Consumer<? super E> listener) {
    Class<E> type = function.binding().type();
    channel(function).add(event -> listener.accept(type.cast(event)));
  }

  /**
   * Returns the events of a function from now on.
   *
   * @param owner kept reachable by the stream
   */
  public <E extends Record> Stream<E> stream(EmitFunction<E> function, Object owner) {
    Class<E> type = function.binding().type();
    EventQueue<E> queue = new EventQueue<>(waits);
    Channel channel = channel(function);
    Consumer<Record> listener =
        event -> {
          if (!queue.offer(type.cast(event))) {
            droppedByStreams.incrementAndGet();
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

  /** Returns a publisher of the events of a function, with threads of its own. */
  public <E extends Record> Flow.Publisher<E> publisher(EmitFunction<E> function) {
    return publisher(function, subscriberThreads);
  }

  /** Returns a publisher of the events of a function, whose subscribers an executor runs. */
  public <E extends Record> Flow.Publisher<E> publisher(
      EmitFunction<E> function, Executor executor) {
    Class<E> type = function.binding().type();
    EventPublisher<E> publisher = new EventPublisher<>(executor);
    publishers.add(publisher);
    channel(function).add(event -> publisher.publish(type.cast(event)));
    atEnd(publisher::end);
    return publisher;
  }

  /** Returns a publisher of all results, with threads of its own. */
  public Flow.Publisher<Result> publisher(ResultListeners results) {
    EventPublisher<Result> publisher = new EventPublisher<>(subscriberThreads);
    publishers.add(publisher);
    results.publish(publisher);
    return publisher;
  }

  /** Returns the number of events that did not fit into the queues of streams and subscribers. */
  public long dropped() {
    return losses().stream().mapToLong(Loss::events).sum();
  }

  /** Returns the number of events that did not reach a subscriber. */
  public long dropped(Flow.Subscriber<?> subscriber) {
    return queues()
        .filter(queue -> queue.isOf(subscriber))
        .mapToLong(SubscriberQueue::dropped)
        .sum();
  }

  /**
   * Events that did not reach streams or a subscriber.
   *
   * @param reason the end of a message
   */
  public record Loss(long events, String reason) {}

  /** Returns what was lost: by all streams, and by each subscriber. */
  public List<Loss> losses() {
    return Stream.concat(
            Stream.of(new Loss(droppedByStreams.get(), "streams were read too slowly")),
            queues().map(queue -> new Loss(queue.dropped(), queue.reason())))
        .filter(loss -> loss.events() > 0)
        .toList();
  }

  private Stream<SubscriberQueue<?>> queues() {
    return publishers.stream().flatMap(publisher -> publisher.queues().stream());
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
  public void end(Optional<RuntimeException> failure) {
    List<Consumer<Optional<RuntimeException>>> actions;
    synchronized (this) {
      if (end.isPresent()) {
        return;
      }
      end = Optional.of(failure);
      actions = List.copyOf(atEnd);
    }
    actions.forEach(action -> action.accept(failure));
    subscriberThreads.endIdle();
  }
}
