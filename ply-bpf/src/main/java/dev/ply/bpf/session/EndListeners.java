package dev.ply.bpf.session;

import dev.ply.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The listeners to the end of a trace: each is called once, at once if the trace has ended. */
final class EndListeners {
  private final List<Consumer<Session.End>> waiting = new ArrayList<>();
  private Optional<Session.End> end = Optional.empty();
  private volatile Optional<Thread> caller = Optional.empty();

  /** Adds a listener. */
  void add(Consumer<Session.End> listener) {
    Optional<Session.End> before;
    synchronized (this) {
      before = end;
      if (before.isEmpty()) {
        waiting.add(listener);
      }
    }
    before.ifPresent(listener);
  }

  /** Calls all listeners, the first time. */
  void end(Session.End reason) {
    List<Consumer<Session.End>> listeners;
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
