package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The CPU time and memory that a trace spends at most on files of processes. Time is limited only
 * for files not written by root: an initial amount, and a share of the trace's run time. Files not
 * owned by root get at most half of the memory. For a single reading thread.
 */
public final class ReadBudget {
  /** The fraction of a trace's run time for files of other users: 1/20. */
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
   * @param timeAtOnce the initial CPU time
   */
  public static ReadBudget of(Duration timeAtOnce) {
    return of(timeAtOnce, Runtime.getRuntime().maxMemory() / 2);
  }

  /** Returns a budget of CPU time and bytes. */
  public static ReadBudget of(Duration timeAtOnce, long memory) {
    return new ReadBudget(timeAtOnce, memory);
  }

  /** Returns the resources that ran out. */
  public synchronized Set<Resource> exceeded() {
    return Set.copyOf(exceeded);
  }

  /**
   * Starts reading a file.
   *
   * @param isOfRoot whether only root can have written it
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

  /** A single file gets at most half of the total. */
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

  /** Records that reading stopped for lack of a resource. */
  public synchronized BudgetExceededException exceeded(Resource resource) {
    exceeded.add(resource);
    return new BudgetExceededException(resource);
  }
}
