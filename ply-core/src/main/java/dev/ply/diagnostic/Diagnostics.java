package dev.ply.diagnostic;

import dev.ply.ir.SourceSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the diagnostics of a script in the order they are reported. Not thread-safe. */
public final class Diagnostics {
  private final List<Diagnostic> found = new ArrayList<>();

  /** Adds an error. */
  public void error(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    found.add(new Diagnostic(Severity.ERROR, code, span, message, List.of(hints)));
  }

  /** Adds a warning. */
  public void warning(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    found.add(new Diagnostic(Severity.WARNING, code, span, message, List.of(hints)));
  }

  /** Adds a note. */
  public void note(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    found.add(new Diagnostic(Severity.NOTE, code, span, message, List.of(hints)));
  }

  /** Adds a diagnostic. */
  public void add(Diagnostic diagnostic) {
    found.add(diagnostic);
  }

  /** Returns whether an error was added. */
  public boolean hasErrors() {
    return hasErrors(found);
  }

  /** Returns whether an error is among {@code diagnostics}. */
  public static boolean hasErrors(List<Diagnostic> diagnostics) {
    for (Diagnostic diagnostic : diagnostics) {
      if (diagnostic.severity() == Severity.ERROR) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many were added. */
  public int count() {
    return found.size();
  }

  /** Returns {@code diagnostics} in source order, the first one only for each position. */
  public static List<Diagnostic> onePerPlace(List<Diagnostic> diagnostics) {
    if (diagnostics.size() < 2) {
      return diagnostics;
    }
    Set<List<Object>> places = new HashSet<>();
    return diagnostics.stream()
        .filter(one -> places.add(List.of(one.severity(), one.span().line(), one.span().column())))
        .sorted(
            Comparator.<Diagnostic>comparingInt(one -> one.span().line())
                .thenComparingInt(one -> one.span().column()))
        .toList();
  }

  /** Returns all diagnostics so far. */
  public List<Diagnostic> list() {
    return List.copyOf(found);
  }

  /** Throws all diagnostics if one is an error. */
  public void throwIfErrors() {
    if (hasErrors()) {
      throw new CompilationException(list());
    }
  }
}
