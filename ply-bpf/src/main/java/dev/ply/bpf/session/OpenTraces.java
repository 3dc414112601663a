package dev.ply.bpf.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The open traces of one tracer. Thread-safe. */
final class OpenTraces {
  private final Set<TraceRun> runs = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Checks that the tracer is open.
   *
   * @throws IllegalStateException if it is closed
   */
  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the tracer is closed");
    }
  }

  /** Adds a trace, and closes it if the tracer has been closed. */
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

  /** Closes all traces, then throws the first exception or error, if any. */
  void close() {
    // Checked first: the consumer of a session's output cannot close it.
    forEach(TraceRun::requireOtherThread);
    FirstFailure failure = new FirstFailure();
    for (TraceRun run : listAndClose()) {
      failure.run(run::close);
      remove(run);
    }
    failure.throwIfAny();
  }

  private synchronized List<TraceRun> listAndClose() {
    closed = true;
    return list();
  }

  /** Closes open traces once the tracer and its sessions are unreachable. */
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
