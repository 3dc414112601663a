package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.TraceFailedException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of a trace: by itself, by a signal, after a time, or with the child or traced process.
 * Thread-safe.
 */
final class TraceEnd {
  private static final Duration ALWAYS = Duration.ofDays(36_500);

  /** The time limit for symbols after a signal. */
  private static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(3);

  /** The time limit for commands of the script after a signal, and for those of END. */
  private static final Duration COMMAND_PATIENCE = Duration.ofMillis(500);

  /** The time limit for maps that events print before END, after a signal. */
  private static final Duration PRINT_PATIENCE = Duration.ofSeconds(1);

  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean isSignalled;
  private Optional<Session> followed = Optional.empty();
  private OptionalLong deadline = OptionalLong.empty();

  /** Ends the trace, if it has not ended. */
  void end() {
    ended.countDown();
  }

  /** Ends the trace by a signal, which limits the wait for symbols, commands and printed maps. */
  void signal() {
    synchronized (this) {
      isSignalled = true;
      followed.ifPresent(TraceEnd::hasten);
    }
    end();
  }

  private synchronized void hurry(Session session) {
    followed = Optional.of(session);
    if (isSignalled) {
      hasten(session);
    }
  }

  private static void hasten(Session session) {
    session.limitSymbolWait(SIGNAL_PATIENCE);
    session.limitPrintWait(PRINT_PATIENCE);
    // Waits for a write that is under way.
    session.limitCommandWait(COMMAND_PATIENCE);
  }

  /** Ends with {@code session}. */
  void follow(Session session) {
    hurry(session);
    Thread waiter =
        new Thread(
            () -> {
              try {
                session.await(ALWAYS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (TraceFailedException e) {
                // Thrown again when the session is stopped.
                return;
              } finally {
                end();
              }
            },
            "ply-wait");
    waiter.setDaemon(true);
    waiter.start();
  }

  /** Ends with a process, at once if it has exited; this one need not be waited for. */
  void withProcess(long pid) {
    if (pid == ProcessHandle.current().pid()) {
      return;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    if (process.isEmpty()) {
      end();
      return;
    }
    CompletableFuture<Void> unused = process.get().onExit().thenRun(this::end);
  }

  /** Ends when something is done. */
  void with(CompletableFuture<Void> done) {
    CompletableFuture<Void> unused = done.thenRun(this::end);
  }

  /** Ends after a time. */
  void after(Duration duration) {
    deadline = OptionalLong.of(System.nanoTime() + duration.toNanos());
  }

  /**
   * Waits for the end, or for {@code timeout}, and returns whether it has ended. Only the thread
   * that set the time waits.
   */
  boolean await(Duration timeout) throws InterruptedException {
    if (deadline.isEmpty()) {
      return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
    long left = deadline.getAsLong() - System.nanoTime();
    if (ended.await(Math.min(left, timeout.toNanos()), TimeUnit.NANOSECONDS)) {
      return true;
    }
    if (deadline.getAsLong() - System.nanoTime() <= 0) {
      end();
      return true;
    }
    return false;
  }
}
