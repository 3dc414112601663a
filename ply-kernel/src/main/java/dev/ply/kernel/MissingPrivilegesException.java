package dev.ply.kernel;

import java.util.List;

/** Thrown if this process cannot trace; the message has a sentence for each missing privilege. */
public final class MissingPrivilegesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingPrivilegesException(List<String> missing) {
    super(String.join("; ", missing));
  }
}
