package dev.ply.kernel.untrusted;

/**
 * The share of a {@link ReadBudget} for one file: memory while its content is kept, time until
 * closed.
 */
public final class Allowance implements AutoCloseable {
  private final ReadBudget budget;
  private final boolean isOfRoot;
  private long claimed;
  private long kept;
  private boolean closed;

  Allowance(ReadBudget budget, boolean isOfRoot) {
    this.budget = budget;
    this.isOfRoot = isOfRoot;
  }

  /** Claims memory before it is allocated. */
  public void claim(long bytes) throws BudgetExceededException {
    budget.claim(bytes, claimed, isOfRoot);
    claimed += bytes;
  }

  /** Claims memory, before it is allocated, for a result that is kept when the reading ends. */
  public void claimKept(long bytes) throws BudgetExceededException {
    claim(bytes);
    kept += bytes;
  }

  /** Returns what is claimed now, in bytes. */
  public long claimed() {
    return claimed;
  }

  /** Returns all claimed memory, if nothing of the file is kept. */
  public void release() {
    budget.release(claimed, isOfRoot);
    claimed = 0;
    kept = 0;
  }

  /** Returns what has been claimed for reading, and not for results. */
  public void releaseRead() {
    release(claimed - kept);
  }

  /** Returns a part of the claimed memory: what it was claimed for is no longer kept. */
  public void release(long bytes) {
    budget.release(bytes, isOfRoot);
    claimed -= bytes;
  }

  /** Throws if time is up; for loops over a file's content. */
  public void requireTime() throws BudgetExceededException {
    budget.requireTime();
  }

  /** Returns the allowance of another file that is read because this one refers to it. */
  Allowance other(boolean otherIsOfRoot) {
    return budget.allowance(isOfRoot && otherIsOfRoot);
  }

  /** Ends the reading; claimed memory stays claimed. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      budget.end(isOfRoot);
    }
  }
}
