package dev.ply.kernel;

import java.util.List;

/** Says what keeps this process from tracing, a sentence for each thing. */
public final class MissingPrivilegesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingPrivilegesException(List<String> missing) {
    super(String.join("; ", missing));
  }
}
