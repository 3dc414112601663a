package dev.ply.bpf.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The traces of one tracer that are not closed. Thread-safe. */
final class OpenTraces {
  private final Set<TraceRun> runs = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Throws if the tracer is closed.
   *
   * @throws IllegalStateException if it is
   */
  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the tracer is closed");
    }
  }

  /** Adds a trace; one of a tracer that was closed in the meantime is closed. */
  void add(TraceRun run) {
    if (!addIfOpen(run)) {
      run.close();
      requireOpen();
    }
  }

  private synchronized boolean addIfOpen(TraceRun run) {
    return !closed && runs.add(run);
  }

  synchronized void remove(TraceRun run) {
    runs.remove(run);
  }

  void forEach(Consumer<TraceRun> action) {
    list().forEach(action);
  }

  private synchronized List<TraceRun> list() {
    return List.copyOf(runs);
  }

  /** Closes all traces, whatever fails on the way, and then throws the first failure. */
  void close() {
    // Before anything is closed: what a session prints to cannot close it.
    forEach(TraceRun::requireOtherThread);
    Optional<RuntimeException> failure = Optional.empty();
    for (TraceRun run : listAndClose()) {
      try {
        run.close();
      } catch (RuntimeException e) {
        failure.ifPresent(first -> first.addSuppressed(e));
        failure = failure.or(() -> Optional.of(e));
      } finally {
        remove(run);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private synchronized List<TraceRun> listAndClose() {
    closed = true;
    return list();
  }

  /** Closes what is still open once nobody can reach the tracer and its sessions any more. */
  void closeAbandoned() {
    int count = list().size();
    if (count > 0) {
      System.getLogger("dev.ply")
          .log(
              System.Logger.Level.WARNING,
              "{0} traces were abandoned and are closed now: close sessions, or their tracer",
              count);
      close();
    }
  }
}
