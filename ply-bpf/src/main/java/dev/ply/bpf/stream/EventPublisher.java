package dev.ply.bpf.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * Publishes the events of a probe. Each subscriber has a {@link SubscriberQueue}, so that none is
 * delayed by another, or fails with it. Thread-safe; one thread at a time publishes, and never
 * waits.
 */
final class EventPublisher<E> implements Flow.Publisher<E> {
  private final Executor executor;
  private volatile List<SubscriberQueue<E>> queues = List.of();
  private Optional<Optional<RuntimeException>> end = Optional.empty();

  /**
   * Creates a publisher without subscribers.
   *
   * @param executor runs a task while a subscriber has events; a slow subscriber occupies it
   */
  EventPublisher(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super E> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Optional<SubscriberQueue<E>> earlier =
        queues.stream().filter(queue -> queue.isOf(subscriber) && !queue.isOver()).findFirst();
    SubscriberQueue<E> queue = earlier.orElseGet(() -> new SubscriberQueue<>(subscriber, executor));
    Optional<Optional<RuntimeException>> over;
    synchronized (this) {
      over = end;
      if (earlier.isEmpty()) {
        queues = withQueue(queue);
      }
    }
    queue.subscribe(subscriber);
    over.ifPresent(queue::end);
  }

  /** Returns the queues with another one, and without those that ended and have lost nothing. */
  private List<SubscriberQueue<E>> withQueue(SubscriberQueue<E> added) {
    List<SubscriberQueue<E>> all = new ArrayList<>();
    for (SubscriberQueue<E> queue : queues) {
      if (!queue.isOver() || queue.dropped() > 0) {
        all.add(queue);
      }
    }
    all.add(added);
    return List.copyOf(all);
  }

  /** Adds an event to the queue of each subscriber, or counts it as dropped there. */
  void publish(E event) {
    List<SubscriberQueue<E>> all = queues;
    int count = all.size();
    for (int i = 0; i < count; i++) {
      all.get(i).offer(event);
    }
  }

  /** Completes all subscribers after their waiting events, with a failure if there is one. */
  void end(Optional<RuntimeException> failure) {
    List<SubscriberQueue<E>> all;
    synchronized (this) {
      end = Optional.of(failure);
      all = queues;
    }
    all.forEach(queue -> queue.end(failure));
  }

  /** Returns the queues of all subscribers. */
  List<SubscriberQueue<E>> queues() {
    return queues;
  }
}
