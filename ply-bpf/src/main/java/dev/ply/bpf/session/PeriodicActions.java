package dev.ply.bpf.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs actions periodically while a trace runs. Each has a thread of its own, or is run by whoever
 * advances the clock of a simulated machine. Thread-safe.
 */
final class PeriodicActions {
  private final ThreadFactory threads;
  private final boolean byThread;
  private final Consumer<Throwable> onFailure;
  private final List<Action> actions = new CopyOnWriteArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);

  private static final class Action {
    private final long period;
    private final Runnable task;
    private final List<Thread> thread = new CopyOnWriteArrayList<>();
    private long next;

    Action(long period, Runnable task, long now) {
      this.period = period;
      this.task = task;
      this.next = now + period;
    }

    /** Returns whether the action is due, and sets when it is next: missed periods are skipped. */
    synchronized boolean isDue(long now) {
      if (now - next < 0) {
        return false;
      }
      next += (now - next) / period * period + period;
      return true;
    }

    synchronized long untilNext(long now) {
      return next - now;
    }
  }

  /**
   * Creates the actions of a trace, none yet.
   *
   * @param byThread whether each has a thread, rather than being run by {@link #runDue}
   * @param onFailure receives what actions throw
   */
  PeriodicActions(ThreadFactory threads, boolean byThread, Consumer<Throwable> onFailure) {
    this.threads = threads;
    this.byThread = byThread;
    this.onFailure = onFailure;
  }

  /**
   * Adds an action.
   *
   * @param now the machine's time in ns
   */
  void add(Duration period, long now, Runnable task) {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("a period is longer than " + period);
    }
    Action action = new Action(period.toNanos(), task, byThread ? System.nanoTime() : now);
    actions.add(action);
    if (byThread) {
      Thread thread = threads.newThread(() -> loop(action));
      action.thread.add(thread);
      thread.start();
    }
  }

  private void loop(Action action) {
    try {
      while (!over.await(action.untilNext(System.nanoTime()), TimeUnit.NANOSECONDS)) {
        if (action.isDue(System.nanoTime())) {
          run(action);
        }
      }
    } catch (InterruptedException e) {
      // An interrupt of this thread stops it.
      Thread.currentThread().interrupt();
    }
  }

  private void run(Action action) {
    try {
      action.task.run();
    } catch (RuntimeException | Error e) {
      onFailure.accept(e);
    }
  }

  /** Runs the actions that are due on a simulated machine. */
  void runDue(long now) {
    if (!byThread && over.getCount() > 0) {
      actions.stream().filter(action -> action.isDue(now)).forEach(this::run);
    }
  }

  /** Returns whether the current thread runs actions. */
  boolean isCalling() {
    return actions.stream().anyMatch(action -> action.thread.contains(Thread.currentThread()));
  }

  /** Ends the periods: waits for running actions, then runs each a last time. */
  void finish() {
    boolean first = over.getCount() > 0;
    over.countDown();
    if (first) {
      joinAll(Duration.ofDays(1));
      actions.forEach(this::run);
    }
  }

  /** Ends the periods, and waits a limited time for running actions. */
  void cancel(Duration most) {
    over.countDown();
    joinAll(most);
  }

  private void joinAll(Duration most) {
    long deadline = System.nanoTime() + most.toNanos();
    boolean interrupted = false;
    for (Action action : actions) {
      for (Thread thread : action.thread) {
        long left = deadline - System.nanoTime();
        while (thread.isAlive() && left > 0) {
          try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
          } catch (InterruptedException e) {
            interrupted = true;
          }
          left = deadline - System.nanoTime();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
