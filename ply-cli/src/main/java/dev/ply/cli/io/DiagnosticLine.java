package dev.ply.cli.io;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import java.util.List;

/** Diagnostics in one line each, for logs. */
public final class DiagnosticLine {
  private DiagnosticLine() {}

  /** Returns one: {@code disk.ply:3:5: unknown function "vfs_raed" (did you mean "vfs_read"?)}. */
  public static String of(Diagnostic one) {
    return (one.span().isKnown() ? one.span() + ": " : "")
        + one.message()
        + (one.hints().isEmpty() ? "" : " (" + String.join("; ", one.hints()) + ")");
  }

  /** Returns the first error, and how many there are besides. */
  public static String ofErrors(List<Diagnostic> all) {
    List<Diagnostic> errors = all.stream().filter(one -> one.severity() == Severity.ERROR).toList();
    if (errors.isEmpty()) {
      return "it is refused";
    }
    int more = errors.size() - 1;
    return of(errors.get(0)) + (more == 0 ? "" : ", and " + more + " more");
  }
}
