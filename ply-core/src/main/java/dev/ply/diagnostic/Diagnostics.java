package dev.ply.diagnostic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the diagnostics of a script in the order they are reported. Not thread-safe. */
public final class Diagnostics {
  private final List<Diagnostic> found = new ArrayList<>();
  private int errors;

  /** Creates an empty collection. */
  public Diagnostics() {}

  /**
   * Adds an error.
   *
   * @param code the kind of error
   * @param span the position to underline
   * @param message a lower-case sentence without full stop
   * @param hints what to do instead
   */
  public void error(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    add(new Diagnostic(Severity.ERROR, code, span, message, List.of(hints)));
  }

  /**
   * Adds a warning.
   *
   * @param code the kind of warning
   * @param span the position to underline
   * @param message a lower-case sentence without full stop
   * @param hints what to do instead
   */
  public void warning(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    add(new Diagnostic(Severity.WARNING, code, span, message, List.of(hints)));
  }

  /**
   * Adds a note.
   *
   * @param code the kind of note
   * @param span the position to underline
   * @param message a lower-case sentence without full stop
   * @param hints what to do instead
   */
  public void note(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    add(new Diagnostic(Severity.NOTE, code, span, message, List.of(hints)));
  }

  /**
   * Adds a diagnostic.
   *
   * @param diagnostic of any severity
   */
  public void add(Diagnostic diagnostic) {
    found.add(diagnostic);
    errors += diagnostic.severity() == Severity.ERROR ? 1 : 0;
  }

  /** {@return whether an error was added} */
  public boolean hasErrors() {
    return errors > 0;
  }

  /**
   * {@return whether an error is among {@code diagnostics}}
   *
   * @param diagnostics of any severity
   */
  public static boolean hasErrors(List<Diagnostic> diagnostics) {
    for (Diagnostic diagnostic : diagnostics) {
      if (diagnostic.severity() == Severity.ERROR) {
        return true;
      }
    }
    return false;
  }

  /** {@return how many were added} */
  public int count() {
    return found.size();
  }

  /** {@return how many of them are errors} */
  public int errorCount() {
    return errors;
  }

  /**
   * {@return {@code diagnostics} in source order, file by file, the first one only for each
   * position}
   *
   * @param diagnostics in any order
   */
  public static List<Diagnostic> onePerPlace(List<Diagnostic> diagnostics) {
    if (diagnostics.size() < 2) {
      return diagnostics;
    }
    Set<List<Object>> places = new HashSet<>();
    List<String> sources = diagnostics.stream().map(one -> one.span().source()).distinct().toList();
    return diagnostics.stream()
        .filter(
            one ->
                places.add(
                    List.of(
                        one.severity(),
                        one.span().source(),
                        one.span().line(),
                        one.span().column())))
        .sorted(
            Comparator.<Diagnostic>comparingInt(one -> sources.indexOf(one.span().source()))
                .thenComparingInt(one -> one.span().line())
                .thenComparingInt(one -> one.span().column()))
        .toList();
  }

  /** {@return all diagnostics so far} */
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
