package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The CPU time and the memory that a trace spends at most on files of processes. Time counts only
 * where somebody other than root wrote the file; besides an amount at once, a trace has a share of
 * the time it has run. Of the memory, files of users other than root get half. For the one thread
 * that reads.
 */
public final class ReadBudget {
  /** A trace spends one in so many nanoseconds on files of other users, be it ever so long. */
  private static final long SHARE = 20;

  private final long timeAtOnce;
  private final long memory;
  private final long begin = System.nanoTime();
  private final Set<Resource> exceeded = EnumSet.noneOf(Resource.class);
  private long time;
  private long claimed;
  private long claimedByUsers;
  private int metered;
  private long meteredSince;

  private ReadBudget(Duration timeAtOnce, long memory) {
    this.timeAtOnce = timeAtOnce.toNanos();
    this.memory = memory;
  }

  /**
   * Returns a budget with half of the heap.
   *
   * @param timeAtOnce the CPU time that is there from the beginning
   */
  public static ReadBudget of(Duration timeAtOnce) {
    return of(timeAtOnce, Runtime.getRuntime().maxMemory() / 2);
  }

  /** Returns a budget of so much CPU time and so many bytes. */
  public static ReadBudget of(Duration timeAtOnce, long memory) {
    return new ReadBudget(timeAtOnce, memory);
  }

  /** Returns what files wanted more of than there was. */
  public synchronized Set<Resource> exceeded() {
    return Set.copyOf(exceeded);
  }

  /**
   * Begins to read a file.
   *
   * @param isOfRoot whether nobody but root can have written it
   */
  public Allowance allowance(boolean isOfRoot) {
    if (!isOfRoot && metered++ == 0) {
      meteredSince = SystemCalls.clock(Clock.THREAD_CPU_TIME);
    }
    return new Allowance(this, isOfRoot);
  }

  void end(boolean isOfRoot) {
    if (!isOfRoot && --metered == 0) {
      time += SystemCalls.clock(Clock.THREAD_CPU_TIME) - meteredSince;
    }
  }

  void requireTime() throws BudgetExceededException {
    if (metered > 0) {
      long spent = time + SystemCalls.clock(Clock.THREAD_CPU_TIME) - meteredSince;
      if (spent > timeAtOnce + (System.nanoTime() - begin) / SHARE) {
        throw exceeded(Resource.TIME);
      }
    }
  }

  /** No single file gets more than half of what all together may have. */
  void claim(long bytes, long claimedByFile, boolean isOfRoot) throws BudgetExceededException {
    long most = isOfRoot ? memory : memory / 2;
    long others = isOfRoot ? claimed : claimedByUsers;
    if (bytes < 0
        || bytes > most
        || claimedByFile + bytes > most / 2
        || others + bytes > most
        || claimed + bytes > memory) {
      throw exceeded(Resource.MEMORY);
    }
    claimed += bytes;
    claimedByUsers += isOfRoot ? 0 : bytes;
  }

  void release(long bytes, boolean isOfRoot) {
    claimed -= bytes;
    claimedByUsers -= isOfRoot ? 0 : bytes;
  }

  /** Notes that something was left unread for lack of a resource. */
  public synchronized BudgetExceededException exceeded(Resource resource) {
    exceeded.add(resource);
    return new BudgetExceededException(resource);
  }
}
