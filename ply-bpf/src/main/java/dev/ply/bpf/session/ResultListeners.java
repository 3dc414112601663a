package dev.ply.bpf.session;

import dev.ply.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Those who listen to all results of a trace. Thread-safe; calls one at a time. */
final class ResultListeners {
  private volatile List<Consumer<? super Result>> listeners = List.of();

  /** Adds a listener, from now on. */
  synchronized void add(Consumer<? super Result> listener) {
    List<Consumer<? super Result>> more = new ArrayList<>(listeners);
    more.add(listener);
    listeners = List.copyOf(more);
  }

  /** Returns whether nobody listens: results need not be made. */
  boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** Passes a result to all. */
  synchronized void accept(Result result) {
    listeners.forEach(listener -> listener.accept(result));
  }
}
