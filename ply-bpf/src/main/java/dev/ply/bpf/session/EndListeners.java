package dev.ply.bpf.session;

import dev.ply.result.EndReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The listeners to the end of a trace: each is called once, at once if the trace has ended. */
final class EndListeners {
  private final List<Consumer<EndReason>> waiting = new ArrayList<>();
  private Optional<EndReason> end = Optional.empty();
  private volatile Optional<Thread> caller = Optional.empty();

  /** Adds a listener. */
  void add(Consumer<EndReason> listener) {
    Optional<EndReason> before;
    synchronized (this) {
      before = end;
      if (before.isEmpty()) {
        waiting.add(listener);
      }
    }
    before.ifPresent(listener);
  }

  /** Calls all listeners, the first time. */
  void end(EndReason reason) {
    List<Consumer<EndReason>> listeners;
    synchronized (this) {
      if (end.isPresent()) {
        return;
      }
      end = Optional.of(reason);
      listeners = List.copyOf(waiting);
      waiting.clear();
    }
    caller = Optional.of(Thread.currentThread());
    try {
      listeners.forEach(listener -> listener.accept(reason));
    } finally {
      caller = Optional.empty();
    }
  }

  /** Returns whether the current thread is calling listeners while it ends the trace. */
  boolean isCalling() {
    return caller.filter(calling -> calling == Thread.currentThread()).isPresent();
  }
}
