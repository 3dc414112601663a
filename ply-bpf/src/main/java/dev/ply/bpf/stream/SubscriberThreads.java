package dev.ply.bpf.stream;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for subscribers: one for each that has events at a time, so that a slow one delays no
 * other. Idle threads end by themselves, at once after {@link #endIdle}. Thread-safe.
 */
final class SubscriberThreads implements Executor {
  private static final long IDLE_SECONDS = 1;

  private final ThreadPoolExecutor pool;

  SubscriberThreads(ThreadFactory threads) {
    pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads);
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(task);
  }

  /** Ends threads as soon as they have nothing to do. Later tasks are executed nevertheless. */
  void endIdle() {
    pool.setKeepAliveTime(0, TimeUnit.SECONDS);
  }
}
