package dev.ply.kernel.untrusted;

import java.io.IOException;

/** Thrown if reading a file would exceed its share of time or memory. */
public final class BudgetExceededException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean isForOthers;
  private final boolean isOfRoot;

  BudgetExceededException(Resource resource) {
    this(resource, false, true);
  }

  BudgetExceededException(Resource resource, boolean isForOthers, boolean isOfRoot) {
    super("it takes too much " + resource.word() + " to read");
    this.isForOthers = isForOthers;
    this.isOfRoot = isOfRoot;
  }

  /** Returns whether there would be memory if other files had none. */
  boolean isForOthers() {
    return isForOthers;
  }

  /** Returns whether only root can have written the file. */
  boolean isOfRoot() {
    return isOfRoot;
  }
}
