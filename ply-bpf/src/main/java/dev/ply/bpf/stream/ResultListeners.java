package dev.ply.bpf.stream;

import dev.ply.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The listeners to all results of a trace, and the publishers of results. Thread-safe; calls one at
 * a time.
 */
public final class ResultListeners {
  private final List<EventPublisher<Result>> publishers = new ArrayList<>();
  private List<Consumer<? super Result>> listeners = List.of();
  private volatile boolean areAny;
  private boolean hasEnded;

  /** Adds a listener, from now on. */
  public synchronized void add(Consumer<? super Result> listener) {
    List<Consumer<? super Result>> more = new ArrayList<>(listeners);
    more.add(listener);
    listeners = List.copyOf(more);
    areAny = true;
  }

  /** Adds a publisher, from now on. */
  synchronized void publish(EventPublisher<Result> publisher) {
    add(publisher::publish);
    publishers.add(publisher);
    if (hasEnded) {
      publisher.end(Optional.empty());
    }
  }

  /** Returns whether anybody listens: otherwise results need not be made. */
  public boolean areAny() {
    return areAny;
  }

  /** Passes a result to all, and completes publishers after the last. */
  public synchronized void accept(Result result) {
    if (hasEnded) {
      return;
    }
    listeners.forEach(listener -> listener.accept(result));
    if (result instanceof Result.End) {
      hasEnded = true;
      publishers.forEach(publisher -> publisher.end(Optional.empty()));
    }
  }
}
