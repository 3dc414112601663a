package dev.ply.kernel.untrusted;

import java.io.IOException;

/** Thrown if reading a file would exceed its share of time or memory. */
public final class BudgetExceededException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Resource resource;
  private final boolean isForOthers;
  private final boolean isOfRoot;

  BudgetExceededException(Resource resource) {
    this(resource, false, true);
  }

  BudgetExceededException(Resource resource, boolean isForOthers, boolean isOfRoot) {
    super("reading it takes too much " + resource.word());
    this.resource = resource;
    this.isForOthers = isForOthers;
    this.isOfRoot = isOfRoot;
  }

  /** Returns what there is too little of. */
  public Resource resource() {
    return resource;
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
