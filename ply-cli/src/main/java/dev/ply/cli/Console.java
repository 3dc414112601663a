package dev.ply.cli;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.type.Escapes;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Where the command writes: results to {@code output}, everything else as lines to the error
 * stream, escaped.
 *
 * @param debug whether debug lines are wanted
 * @param warnings whether warnings and notes are wanted
 */
record Console(Output output, PrintStream errors, boolean debug, boolean warnings) {
  /** Nobody reads more at once. */
  private static final int MOST_DIAGNOSTICS = 50;

  /** Says what went wrong. */
  void error(String message) {
    line("error: ", Escapes.escape(message));
  }

  /** Says what went wrong, in one line or several. */
  void errorLines(String message) {
    line("error: ", Escapes.escapeLines(message));
  }

  /** Says what the user should know though the work goes on. */
  void warning(String message) {
    if (warnings) {
      line("warning: ", Escapes.escape(message));
    }
  }

  /** Reports something that happened, as a line of its own. */
  void message(String message) {
    line("", Escapes.escape(message));
  }

  /** Tells what is being done, in one line or several, if that is wanted. */
  void debug(String message) {
    if (debug) {
      line("debug: ", Escapes.escapeLines(message));
    }
  }

  /** Tells how long something took since {@link System#nanoTime} was {@code begin}. */
  void debugTime(String what, long begin) {
    if (debug) {
      double milliseconds = (System.nanoTime() - begin) / 1e6;
      debug(String.format(Locale.ROOT, "%s in %.1f ms", what, milliseconds));
    }
  }

  /** Shows what is to be said about a program. */
  void diagnostics(List<Diagnostic> all, Source source) {
    List<Diagnostic> diagnostics =
        warnings ? all : all.stream().filter(one -> one.severity() == Severity.ERROR).toList();
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
    // What was printed before stands before it where both go to the same place.
    output.flush();
    errors.println(prefix + message);
    errors.flush();
  }
}
