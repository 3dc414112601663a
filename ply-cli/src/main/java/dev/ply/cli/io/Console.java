package dev.ply.cli.io;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The command's output streams: results to {@code output}, everything else to the error stream,
 * escaped.
 *
 * @param remarks the optional remarks
 * @param terminal whether both streams are read by a person
 */
public record Console(Output output, ErrorStream errors, Set<Remark> remarks, Terminal terminal) {
  /** More would not be read. */
  private static final int MOST_DIAGNOSTICS = 50;

  /** Optional output. */
  public enum Remark {
    /** Warnings and notes. */
    WARNING,
    /** The current step. */
    DEBUG
  }

  /** Keeps a copy of the remarks. */
  public Console {
    remarks = Set.copyOf(remarks);
  }

  /** Returns whether debug messages are printed. */
  public boolean debugs() {
    return remarks.contains(Remark.DEBUG);
  }

  private boolean warns() {
    return remarks.contains(Remark.WARNING);
  }

  /** Prints an error. */
  public void error(String message) {
    line("error: ", Escapes.escape(message));
  }

  /** Prints an error even if nobody reads the results. */
  public void lastError(String message) {
    errors.println("error: " + Escapes.escape(message));
    errors.flush();
  }

  /** Prints an error of several lines. */
  void errorLines(String message) {
    line("error: ", Escapes.escapeLines(message));
  }

  /** Prints a warning. */
  public void warning(String message) {
    if (warns()) {
      line("warning: ", Escapes.escape(message));
    }
  }

  /** Prints a message on a line of its own. */
  public void message(String message) {
    line("", Escapes.escape(message));
  }

  /** Prints a debug message, if enabled. */
  public void debug(String message) {
    if (debugs()) {
      line("debug: ", Escapes.escapeLines(message));
    }
  }

  /** Prints how long something took since {@link System#nanoTime} was {@code begin}, if enabled. */
  public void debugTime(String what, long begin) {
    if (debugs()) {
      double milliseconds = (System.nanoTime() - begin) / 1e6;
      debug(String.format(Locale.ROOT, "%s in %.1f ms", what, milliseconds));
    }
  }

  /** Prints the diagnostics of a program. */
  public void diagnostics(List<Diagnostic> all, Source source) {
    List<Diagnostic> diagnostics =
        warns() ? all : all.stream().filter(one -> one.severity() == Severity.ERROR).toList();
    if (!diagnostics.isEmpty()) {
      output.flush();
      int shown = Math.min(diagnostics.size(), MOST_DIAGNOSTICS);
      errors.print(DiagnosticRenderer.render(diagnostics.subList(0, shown), source));
      if (shown < diagnostics.size()) {
        errors.println("\n… and " + (diagnostics.size() - shown) + " more");
      }
      errors.flush();
    }
  }

  private void line(String prefix, String message) {
    // If both streams are the same file, earlier output comes first.
    output.flush();
    errors.println(prefix + message);
    errors.flush();
  }
}
