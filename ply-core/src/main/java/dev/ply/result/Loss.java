package dev.ply.result;

/** Something that a trace has lost, or left out, and counts. */
public enum Loss {
  /** Events for which the ring buffer had no room. */
  EVENTS("event", "events", "lost: the buffer was full"),
  /** Updates for which their map had no room. */
  UPDATES("update", "updates", "lost: a map was full"),
  /**
   * Stack traces that the kernel could not store. It stores 262,144 different ones of each depth,
   * before Linux 6.1 16,384, or as many as {@link dev.ply.TraceOptions#mapEntries} if that is more.
   */
  STACKS("stack trace", "stack traces", "lost: the map of different ones was full"),
  /**
   * User stacks that end before their outermost frame: at code without an unwind table, or because
   * the tables of the process were not read yet. They are recorded, with a last frame that says
   * why.
   */
  CUT_STACKS("user stack", "user stacks", "cut short: their last frame says why"),
  /** Loops that were stopped at their maximum of iterations. */
  LOOPS("loop", "loops", "stopped at the maximum of iterations"),
  /** Signals that could not be sent, such as to kernel threads. */
  SIGNALS("signal", "signals", "not sent: the thread cannot be signalled there"),
  /**
   * Calls without {@code latency} and {@code entry(…)}: their function was running more than 64
   * times in their thread, or their thread has changed its stack in the meantime.
   */
  UNPAIRED_CALLS(
      "call",
      "calls",
      "left out: nested more than 64 deep, or on several stacks, so without latency and entry"
          + " values"),
  /**
   * Hits for which the kernel did not run the program: it was already running on that CPU, or a
   * kretprobe had more concurrent calls than its maxactive. Complete after {@link
   * dev.ply.Session#stop}. Counted since Linux 5.12 for trampolines, 6.1 for raw tracepoints and
   * 6.7 for others; 0 before.
   */
  MISSED_RUNS(
      "hit",
      "hits",
      "missed: the program was already running on that CPU, or too many calls were in flight"),
  /**
   * Operations that have failed in programs that report it ({@link
   * dev.ply.TraceOptions#reportingErrors}); otherwise 0.
   */
  RUNTIME_ERRORS("operation", "operations", "failed while a program ran"),
  /**
   * Keys that {@link dev.ply.Session#addedEvery} could not pass on: a map was cleared so often in a
   * period that it had more of them than it holds at once.
   */
  ADDED_KEYS("key", "keys", "left out of what was added: a map was cleared too often in a period"),
  /** Events that {@link dev.ply.Session#close} dropped because their consumer was too slow. */
  UNDELIVERED("event", "events", "dropped at the end: their consumer was too slow"),
  /** Events that did not fit into the queues of streams and subscribers. */
  DROPPED("event", "events", "dropped: streams or subscribers were too slow");

  private final String one;
  private final String several;
  private final String what;

  Loss(String one, String several, String what) {
    this.one = one;
    this.several = several;
    this.what = what;
  }

  /**
   * {@return how many, with their name: {@code 1 event}, {@code 3 stack traces}}
   *
   * @param count at least 1
   */
  public String counted(long count) {
    return count + " " + (count == 1 ? one : several);
  }

  /**
   * {@return what happened, a sentence without full stop: {@code 3 events lost: the buffer was
   * full}}
   *
   * @param count at least 1
   */
  public String sentence(long count) {
    return counted(count) + " " + what;
  }
}
