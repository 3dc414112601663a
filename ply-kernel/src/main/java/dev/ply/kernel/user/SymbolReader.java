package dev.ply.kernel.user;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Reads the functions of this system's processes on a thread of its own, for one trace. Whoever
 * wants names waits a limited time for them, in all: no file or process can keep a trace from
 * reading its events, or from its end. Thread-safe.
 */
public final class SymbolReader implements UserSymbols {
  /** CPU time for files of other users than root. */
  private static final Duration READING = Duration.ofSeconds(3);

  private static final long PATIENCE = 10_000_000_000L;

  /** A trace waits for one in so many nanoseconds besides. */
  private static final long SHARE = 10;

  /** Processes that wait to be looked at; others are seen when their functions are asked for. */
  private static final int MOST_WAITING = 1 << 12;

  private static final Duration FAREWELL = Duration.ofMillis(200);

  private final ReadBudget budget = ReadBudget.of(READING);
  private final ProcessSymbols symbols = new ProcessSymbols(budget);
  private final BlockingDeque<Runnable> tasks = new LinkedBlockingDeque<>();
  private final Thread thread = new Thread(this::run, "ply-symbols");
  private final long begin = System.nanoTime();
  private boolean isStarted;
  private boolean isLimited;
  private long limit;
  private long waited;

  /** An answer that somebody may wait for, guarded by the reader. */
  private static final class Answer {
    private boolean isThere;
    private Optional<List<Frame>> frames = Optional.empty();
  }

  @Override
  public void remember(int process) {
    start();
    if (tasks.size() < MOST_WAITING) {
      tasks.addLast(() -> symbols.remember(process));
    }
  }

  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    start();
    Answer answer = new Answer();
    tasks.addFirst(() -> answer(answer, process, addresses));
    try {
      return await(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void answer(Answer answer, int process, List<Long> addresses) {
    Optional<List<Frame>> frames = Optional.empty();
    try {
      frames = Optional.of(symbols.frames(process, addresses));
    } finally {
      synchronized (this) {
        answer.frames = frames;
        answer.isThere = true;
        notifyAll();
      }
    }
  }

  private synchronized Optional<List<Frame>> await(Answer answer) throws InterruptedException {
    long start = System.nanoTime();
    try {
      while (!answer.isThere) {
        long left = left() - (System.nanoTime() - start);
        if (left <= 0) {
          budget.exceeded(Resource.TIME);
          break;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return answer.frames;
    } finally {
      waited += System.nanoTime() - start;
    }
  }

  private long left() {
    return (isLimited ? limit : PATIENCE + (System.nanoTime() - begin) / SHARE) - waited;
  }

  @Override
  public synchronized void limitWait(Duration most) {
    limit = Math.min(left(), most.toNanos()) + waited;
    isLimited = true;
    notifyAll();
  }

  @Override
  public Optional<String> hiddenUnless() {
    CapabilitySet held = CapabilitySet.ofThisProcess();
    return held.has(Capability.CAP_SYS_PTRACE)
        ? Optional.empty()
        : Optional.of(
            "it takes CAP_SYS_PTRACE: " + held.remedy(List.of(Capability.CAP_SYS_PTRACE)));
  }

  @Override
  public Optional<String> shortage() {
    String resources =
        budget.exceeded().stream()
            .sorted()
            .map(Resource::word)
            .collect(Collectors.joining(" and "));
    return resources.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "some functions of processes have no names: reading them takes too much " + resources);
  }

  private synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    try {
      while (true) {
        run(tasks.takeFirst());
      }
    } catch (InterruptedException e) {
      // Closed.
      return;
    }
  }

  /** Whatever a file or process does to one task, the next is done. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (OutOfMemoryError e) {
      budget.exceeded(Resource.MEMORY);
    } catch (RuntimeException | StackOverflowError e) {
      // Its frames have no names, which is to be seen.
      return;
    }
  }

  /** Ends the thread; what it waits for may take it longer than this call waits. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(FAREWELL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
