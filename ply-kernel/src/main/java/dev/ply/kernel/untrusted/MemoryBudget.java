package dev.ply.kernel.untrusted;

import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The heap that a tracer spends at most on files of processes, for all of its traces together.
 * Tracers without a limit of their own share a fifth of the heap. Thread-safe.
 */
public final class MemoryBudget implements AutoCloseable {
  private static final Cleaner ABANDONED = Cleaner.create();

  /** Most of the heap is for results. */
  private static final int SHARE_OF_HEAP = 5;

  private static final Account HEAP =
      new Account(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, Optional.empty());

  private final Account account;

  /** The claims of one budget, which are claims of the one that it is a part of, too. */
  private static final class Account {
    private final long total;
    private final Optional<Account> whole;
    private long claimed;
    private long claimedByUsers;
    private boolean isClosed;

    Account(long total, Optional<Account> whole) {
      this.total = total;
      this.whole = whole;
    }

    /** Files of users other than root get at most half, and a single file at most half of that. */
    boolean couldHold(long bytes, long claimedByFile, boolean isOfRoot) {
      long most = isOfRoot ? total : total / 2;
      return bytes >= 0 && bytes <= most && claimedByFile + bytes <= most / 2;
    }

    synchronized boolean claim(long bytes, long claimedByFile, boolean isOfRoot) {
      long most = isOfRoot ? total : total / 2;
      long others = isOfRoot ? claimed : claimedByUsers;
      if (isClosed
          || !couldHold(bytes, claimedByFile, isOfRoot)
          || others + bytes > most
          || claimed + bytes > total
          || !whole.map(all -> all.claim(bytes, claimedByFile, isOfRoot)).orElse(true)) {
        return false;
      }
      claimed += bytes;
      claimedByUsers += isOfRoot ? 0 : bytes;
      return true;
    }

    synchronized void release(long bytes, long bytesOfUsers) {
      if (!isClosed) {
        claimed -= bytes;
        claimedByUsers -= bytesOfUsers;
        whole.ifPresent(all -> all.release(bytes, bytesOfUsers));
      }
    }

    synchronized void close() {
      release(claimed, claimedByUsers);
      isClosed = true;
    }
  }

  private MemoryBudget(Account account) {
    this.account = account;
  }

  /** Returns a budget of a fifth of the heap, which is shared with all others of this kind. */
  public static MemoryBudget ofHeap() {
    Account account = new Account(HEAP.total, Optional.of(HEAP));
    MemoryBudget budget = new MemoryBudget(account);
    ABANDONED.register(budget, account::close);
    return budget;
  }

  /** Returns a budget of a number of bytes. */
  public static MemoryBudget of(long bytes) {
    return new MemoryBudget(new Account(bytes, Optional.empty()));
  }

  /** Returns a budget of a number of bytes; without one, a part of {@link #ofHeap}. */
  public static MemoryBudget of(OptionalLong bytes) {
    return bytes.isPresent() ? of(bytes.getAsLong()) : ofHeap();
  }

  /** Returns the number of bytes in total. */
  public long total() {
    return account.total;
  }

  /** Returns the number of bytes that are claimed. */
  public long claimed() {
    synchronized (account) {
      return account.claimed;
    }
  }

  /**
   * Claims memory for a part of what is read of a file.
   *
   * @param claimedByFile the claims of the same file so far
   * @return whether the budget allows it
   */
  boolean claim(long bytes, long claimedByFile, boolean isOfRoot) {
    return account.claim(bytes, claimedByFile, isOfRoot);
  }

  /** Returns whether a part of a file would fit if other files had no memory. */
  boolean couldHold(long bytes, long claimedByFile, boolean isOfRoot) {
    return account.couldHold(bytes, claimedByFile, isOfRoot);
  }

  void release(long bytes, long bytesOfUsers) {
    account.release(bytes, bytesOfUsers);
  }

  /** Claims memory for this process's own records of what others do. */
  public Optional<Claim> reserve(long bytes) {
    return claim(bytes, 0, true) ? Optional.of(new Claim(this, bytes, 0)) : Optional.empty();
  }

  /** Releases all claims; refuses further ones. */
  @Override
  public void close() {
    account.close();
  }
}
