package dev.ply.bpf.stream;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that wait for one subscriber, up to {@link EventQueue#CAPACITY}. What does not fit is
 * dropped and counted, and so is everything after the executor has refused the subscriber's task.
 * Thread-safe; one thread at a time offers.
 */
final class SubscriberQueue<E> {
  private final WeakReference<Flow.Subscriber<? super E>> subscriber;
  private final String name;
  private final AtomicLong dropped = new AtomicLong();
  private final SubmissionPublisher<E> waiting;
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private volatile boolean subscribed;
  private volatile boolean refused;

  SubscriberQueue(Flow.Subscriber<? super E> subscriber, Executor executor) {
    this.subscriber = new WeakReference<>(subscriber);
    this.name = subscriber.getClass().getName();
    this.waiting = new SubmissionPublisher<>(task -> execute(executor, task), EventQueue.CAPACITY);
  }

  private void execute(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RuntimeException | Error e) {
      // The publisher drops what waits.
      dropped.addAndGet(waiting.estimateMaximumLag());
      refused = true;
      throw e;
    }
  }

  /**
   * Subscribes the queue's subscriber; a second time is an error that it receives.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the executor refuses its task
   */
  void subscribe(Flow.Subscriber<? super E> same) {
    waiting.subscribe(new Receiver<>(same, cancelled));
    subscribed = true;
  }

  boolean isOf(Object other) {
    return subscriber.get() == other;
  }

  /** Returns whether the subscriber has cancelled, failed, or received its last event. */
  boolean isOver() {
    return cancelled.get() || (subscribed && !refused && !waiting.hasSubscribers());
  }

  /** Adds an event, or counts it as dropped; ignores it if the subscriber has cancelled. */
  void offer(E event) {
    if (refused) {
      dropped.incrementAndGet();
      return;
    }
    try {
      if (waiting.offer(event, null) < 0) {
        dropped.incrementAndGet();
      }
    } catch (RuntimeException | Error e) {
      // Closed in the meantime, or refused and counted: no other subscriber suffers.
      if (!refused && !waiting.isClosed()) {
        dropped.incrementAndGet();
      }
    }
  }

  /** Completes the subscriber after the waiting events, with a failure if there is one. */
  void end(Optional<RuntimeException> failure) {
    try {
      failure.ifPresentOrElse(waiting::closeExceptionally, waiting::close);
    } catch (RuntimeException | Error e) {
      // The executor refuses; the others are completed nevertheless.
      refused = true;
    }
  }

  /** Returns the number of events that did not reach the subscriber. */
  long dropped() {
    return dropped.get();
  }

  /** Returns why events were dropped, as the end of a message. */
  String reason() {
    return refused
        ? "the executor refused to run subscriber " + name
        : "subscriber " + name + " was too slow";
  }

  /** Passes everything on, and tells at once that it was cancelled: the publisher notices later. */
  private record Receiver<E>(Flow.Subscriber<? super E> subscriber, AtomicBoolean cancelled)
      implements Flow.Subscriber<E> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long events) {
              subscription.request(events);
            }

            @Override
            public void cancel() {
              cancelled.set(true);
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(E event) {
      subscriber.onNext(event);
    }

    @Override
    public void onError(Throwable failure) {
      subscriber.onError(failure);
    }

    @Override
    public void onComplete() {
      subscriber.onComplete();
    }
  }
}
