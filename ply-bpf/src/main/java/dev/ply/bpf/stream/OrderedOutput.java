package dev.ply.bpf.stream;

import dev.ply.text.TextBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The output of a trace together with that of its commands and files, in the order of events. Text
 * is written at once while no job is pending; otherwise it waits, and a thread of its own runs the
 * jobs and writes what follows them. One thread at a time writes to the stream. Thread-safe.
 */
public final class OrderedOutput {
  /** The size of waiting text from which writers wait, too. */
  private static final int MOST_TEXT = 1 << 22;

  /** The number of pending entries from which writers wait. */
  private static final int MOST_ENTRIES = 1 << 10;

  /** The time for a job to return after it was told that time is up. */
  private static final Duration SLACK = Duration.ofMillis(200);

  private final OutputStream out;
  private final OutputStream ordered = new Ordered();
  private final Deque<Entry> pending = new ArrayDeque<>();
  private int textSize;
  private Optional<Thread> worker = Optional.empty();
  private Optional<Throwable> failure = Optional.empty();
  private Optional<Long> deadline = Optional.empty();
  private Optional<Job> running = Optional.empty();
  private Optional<Duration> jobTime = Optional.empty();
  private long jobsEnd;

  /** A queued part of the output. */
  private sealed interface Entry {}

  private record Text(ByteArrayOutputStream bytes) implements Entry {}

  private record Task(Job job) implements Entry {}

  /** Produces a part of the output. */
  @FunctionalInterface
  public interface Job {
    /** Returns the output; soon, once {@link #isOver}. */
    TextBuffer run();

    /** Abandons the job: {@link #run} has not returned in time. */
    default void leave() {}
  }

  /** Writes to a stream, one thread at a time. */
  public OrderedOutput(OutputStream out) {
    this.out = out;
  }

  /** Writes text, after everything that is pending. */
  public void write(TextBuffer text) {
    try {
      text.writeTo(stream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a stream that writes after everything that is pending. */
  OutputStream stream() {
    return ordered;
  }

  private final class Ordered extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      append(bytes, start, length);
    }
  }

  private synchronized void append(byte[] bytes, int start, int length) throws IOException {
    throwFailure();
    if (worker.isEmpty()) {
      out.write(bytes, start, length);
      return;
    }
    awaitSpace();
    if (!(pending.peekLast() instanceof Text)) {
      pending.add(new Text(new ByteArrayOutputStream()));
    }
    ((Text) pending.getLast()).bytes().write(bytes, start, length);
    textSize += length;
    startWorker();
  }

  /** Runs a job after everything that is pending, and writes its output. */
  public synchronized void run(Job job) {
    throwFailure();
    awaitSpace();
    pending.add(new Task(job));
    startWorker();
  }

  private void awaitSpace() {
    while ((textSize > MOST_TEXT || pending.size() > MOST_ENTRIES) && worker.isPresent()) {
      pause();
    }
  }

  /** Waits for a change, or drops everything if time is up; callers loop. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause() {
    try {
      long left = deadline.map(OrderedOutput::until).orElse(Long.MAX_VALUE);
      long leftToJob =
          running.isPresent() && jobTime.isPresent()
              ? until(jobsEnd + SLACK.toNanos())
              : Long.MAX_VALUE;
      if (left <= 0) {
        pending.clear();
        worker = Optional.empty();
      } else if (leftToJob <= 0) {
        leaveJob();
      } else {
        // Zero waits for a change only.
        long time = Math.min(left, leftToJob);
        wait(time == Long.MAX_VALUE ? 0 : time / 1_000_000 + 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      deadline = Optional.of(System.nanoTime());
    }
  }

  private static long until(long time) {
    return time - System.nanoTime();
  }

  /** Abandons the running job, and lets another thread continue with what follows. */
  private void leaveJob() {
    running.ifPresent(Job::leave);
    running = Optional.empty();
    worker = Optional.empty();
    if (!pending.isEmpty()) {
      startWorker();
    }
    notifyAll();
  }

  private void startWorker() {
    if (worker.isEmpty()) {
      Thread thread = new Thread(this::work, "ply-commands");
      thread.setDaemon(true);
      worker = Optional.of(thread);
      thread.start();
    }
  }

  private void work() {
    Optional<Entry> entry = next();
    while (entry.isPresent()) {
      try {
        if (entry.get() instanceof Text text) {
          text.bytes().writeTo(out);
        } else {
          perform(((Task) entry.get()).job());
        }
        entry = next();
      } catch (IOException | RuntimeException | Error e) {
        entry = fail(e);
      }
    }
  }

  private void perform(Job job) throws IOException {
    TextBuffer text = job.run();
    synchronized (this) {
      if (!isWorker()) {
        return;
      }
      running = Optional.empty();
    }
    text.writeTo(out);
  }

  /** Returns the next entry, if this thread is still the worker, and wakes all waiters. */
  private synchronized Optional<Entry> next() {
    notifyAll();
    if (!isWorker()) {
      return Optional.empty();
    }
    Optional<Entry> entry = Optional.ofNullable(pending.poll());
    if (entry.isEmpty()) {
      worker = Optional.empty();
    } else if (entry.get() instanceof Text text) {
      textSize -= text.bytes().size();
    } else {
      running = Optional.of(((Task) entry.get()).job());
    }
    return entry;
  }

  private synchronized Optional<Entry> fail(Throwable thrown) {
    if (!isWorker()) {
      return Optional.empty();
    }
    running = Optional.empty();
    failure = failure.or(() -> Optional.of(thrown));
    pending.clear();
    return next();
  }

  private synchronized boolean isWorker() {
    return worker.filter(thread -> thread == Thread.currentThread()).isPresent();
  }

  /** Flushes the stream if nothing is pending. */
  public synchronized void flush() throws IOException {
    throwFailure();
    if (worker.isEmpty()) {
      out.flush();
    }
  }

  /** Waits until nothing is pending. */
  public synchronized void await() {
    while (worker.isPresent() && !isWorker()) {
      pause();
    }
    throwFailure();
  }

  /** Drops what is still pending at a time of {@link System#nanoTime}. */
  public synchronized void endBy(long nanos) {
    deadline = Optional.of(nanos);
    notifyAll();
  }

  /**
   * Limits the time of running and queued jobs; text is still written in order. A job that does not
   * return in time is abandoned.
   */
  public synchronized void limitJobs(Duration most) {
    jobTime = Optional.of(most);
    renewLimit();
  }

  /** Gives jobs as much time again as {@link #limitJobs} did, from now on. */
  public synchronized void renewLimit() {
    jobsEnd = System.nanoTime() + jobTime.map(Duration::toNanos).orElse(0L);
    notifyAll();
  }

  /** Returns whether the time of {@link #endBy} or that of jobs is up. */
  synchronized boolean isOver() {
    return deadline.filter(end -> until(end) <= 0).isPresent()
        || (jobTime.isPresent() && until(jobsEnd) <= 0);
  }

  /** Returns whether the current thread writes what was pending. */
  public boolean isCalling() {
    return isWorker();
  }

  private void throwFailure() {
    if (failure.isPresent()) {
      Throwable thrown = failure.get();
      if (thrown instanceof IOException e) {
        throw new UncheckedIOException(e);
      } else if (thrown instanceof RuntimeException e) {
        throw e;
      }
      throw (Error) thrown;
    }
  }
}
