package dev.ply.kernel.untrusted;

import java.io.IOException;

/** Reading a file would take more than its share of time or memory. */
public final class BudgetExceededException extends IOException {
  private static final long serialVersionUID = 1L;

  BudgetExceededException(Resource resource) {
    super("it takes too much " + resource.word() + " to read");
  }
}
