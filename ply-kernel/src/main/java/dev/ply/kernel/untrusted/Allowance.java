package dev.ply.kernel.untrusted;

/**
 * The share of a {@link ReadBudget} for one file: memory while its content is kept, time until
 * closed.
 */
public final class Allowance implements AutoCloseable {
  private final ReadBudget budget;
  private final boolean isOfRoot;
  private long claimed;
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

  /** Returns all claimed memory, if nothing of the file is kept. */
  public void release() {
    budget.release(claimed, isOfRoot);
    claimed = 0;
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
