package dev.ply.bpf.stream;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The events that wait for a stream. The thread that handles events never waits for the stream:
 * what does not fit is refused. Thread-safe; one thread takes.
 */
public final class EventQueue<E> {
  /** The maximum number of waiting events. */
  public static final int CAPACITY = 1 << 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<E> waiting = new ArrayDeque<>();
  private final boolean waits;
  private boolean ended;
  private Optional<RuntimeException> failure = Optional.empty();

  /**
   * Creates an empty queue.
   *
   * @param waits whether taking waits for events, rather than ending without any
   */
  EventQueue(boolean waits) {
    this.waits = waits;
  }

  /** Adds an event; returns whether it fits. After the end, events are ignored. */
  boolean offer(E event) {
    lock.lock();
    try {
      if (ended) {
        return true;
      }
      if (waiting.size() == CAPACITY) {
        return false;
      }
      waiting.add(event);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the queue after the waiting events, with a failure if the trace failed. */
  void end(Optional<RuntimeException> reason) {
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        failure = reason;
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops all events, now and later. */
  void close() {
    end(Optional.empty());
    lock.lock();
    try {
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the next event, empty after the last.
   *
   * @throws RuntimeException the failure that ended the trace
   */
  private Optional<E> take() {
    lock.lock();
    try {
      while (waits && waiting.isEmpty() && !ended) {
        changed.await();
      }
      if (waiting.isEmpty() && failure.isPresent()) {
        throw failure.get();
      }
      return Optional.ofNullable(waiting.poll());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the events in order.
   *
   * @param owner kept reachable by the returned object
   */
  Spliterator<E> events(Object owner) {
    return new Events<>(this, owner);
  }

  private static final class Events<E> extends Spliterators.AbstractSpliterator<E> {
    private final EventQueue<E> queue;

    @SuppressWarnings("unused") // keeps the session reachable
    private final Object owner;

    Events(EventQueue<E> queue, Object owner) {
      super(Long.MAX_VALUE, ORDERED | NONNULL);
      this.queue = queue;
      this.owner = owner;
    }

    @Override
    public boolean tryAdvance(Consumer<? super E> action) {
      Optional<E> next = queue.take();
      next.ifPresent(action);
      return next.isPresent();
    }
  }
}
