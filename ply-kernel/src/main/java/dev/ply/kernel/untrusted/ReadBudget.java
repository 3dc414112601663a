package dev.ply.kernel.untrusted;

import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The CPU time and memory that a trace spends at most on files of processes. Time is limited only
 * for files not written by root: an initial amount, and a share of the trace's run time. Memory is
 * claimed of a {@link MemoryBudget} that several traces share. For a single reading thread.
 */
public final class ReadBudget {
  /** The fraction of a trace's run time for files of other users: 1/20. */
  private static final long SHARE = 20;

  private final long timeAtOnce;
  private final MemoryBudget memory;
  private final long begin = System.nanoTime();
  private final Set<Resource> exceeded = EnumSet.noneOf(Resource.class);
  private long time;
  private long claimed;
  private long claimedByUsers;
  private int metered;
  private long meteredSince;

  private ReadBudget(Duration timeAtOnce, MemoryBudget memory) {
    this.timeAtOnce = timeAtOnce.toNanos();
    this.memory = memory;
  }

  /**
   * Returns a budget with the fifth of the heap that all of them share.
   *
   * @param timeAtOnce the initial CPU time
   */
  public static ReadBudget of(Duration timeAtOnce) {
    return of(timeAtOnce, MemoryBudget.ofHeap());
  }

  /**
   * Returns a budget of CPU time that shares memory with others.
   *
   * @param timeAtOnce the initial CPU time
   */
  public static ReadBudget of(Duration timeAtOnce, MemoryBudget memory) {
    return new ReadBudget(timeAtOnce, memory);
  }

  /** Returns a budget of CPU time and bytes. */
  public static ReadBudget of(Duration timeAtOnce, long memory) {
    return new ReadBudget(timeAtOnce, MemoryBudget.of(memory));
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

  void claim(long bytes, long claimedByFile, boolean isOfRoot) throws BudgetExceededException {
    if (!memory.claim(bytes, claimedByFile, isOfRoot)) {
      synchronized (this) {
        exceeded.add(Resource.MEMORY);
      }
      boolean isForOthers = memory.couldHold(bytes, claimedByFile, isOfRoot);
      throw new BudgetExceededException(Resource.MEMORY, isForOthers, isOfRoot);
    }
    claimed += bytes;
    claimedByUsers += isOfRoot ? 0 : bytes;
  }

  void release(long bytes, boolean isOfRoot) {
    long bytesOfUsers = isOfRoot ? 0 : bytes;
    claimed -= bytes;
    claimedByUsers -= bytesOfUsers;
    memory.release(bytes, bytesOfUsers);
  }

  /** Returns what is claimed now. */
  public Claim claims() {
    return new Claim(memory, claimed, claimedByUsers);
  }

  /**
   * Returns what was claimed since {@code earlier}, for what outlives the trace: it is no longer
   * released with this budget.
   */
  public Claim handOver(Claim earlier) {
    Claim since =
        new Claim(memory, claimed - earlier.bytes(), claimedByUsers - earlier.bytesOfUsers());
    claimed = earlier.bytes();
    claimedByUsers = earlier.bytesOfUsers();
    return since;
  }

  /** Releases all memory that was claimed: nothing of any file is kept. */
  public void releaseAll() {
    claims().release();
    claimed = 0;
    claimedByUsers = 0;
  }

  /** Takes back that a resource ran out: others have made room. */
  synchronized void retract(Resource resource) {
    exceeded.remove(resource);
  }

  /** Records that reading stopped for lack of a resource. */
  public synchronized BudgetExceededException exceeded(Resource resource) {
    exceeded.add(resource);
    return new BudgetExceededException(resource);
  }
}
