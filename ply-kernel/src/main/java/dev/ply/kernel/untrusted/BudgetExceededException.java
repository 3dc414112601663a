package dev.ply.kernel.untrusted;

import java.io.IOException;

/** Thrown if reading a file would exceed its share of time or memory. */
public final class BudgetExceededException extends IOException {
  private static final long serialVersionUID = 1L;

  BudgetExceededException(Resource resource) {
    super("it takes too much " + resource.word() + " to read");
  }
}
