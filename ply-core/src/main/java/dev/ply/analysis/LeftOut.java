package dev.ply.analysis;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.SourceSpan;
import dev.ply.target.BinaryCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what a pattern means and cannot be probed: one odd file or symbol refuses no other. */
final class LeftOut {
  private int indirect;
  private int unusable;
  private final List<String> files = new ArrayList<>();
  private Optional<String> unsearched = Optional.empty();

  /** Counts the symbols that a selection leaves out. */
  void add(BinaryCatalog.Selection selection) {
    indirect += selection.indirect();
    unusable += selection.unusable();
  }

  /** Counts a file, of which nothing is probed. */
  void addFile(String reason) {
    files.add(reason);
  }

  /** Notes what was not looked at. */
  void addUnsearched(String what) {
    unsearched = Optional.of(what);
  }

  /** Returns what is left out and why, in words; nothing if all is probed. */
  List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    if (indirect > 0) {
      reasons.add(indirect + " indirect (IFUNC): run once, to choose a function for this CPU");
    }
    if (unusable > 0) {
      reasons.add(unusable + " outside code, or with names that are not UTF-8");
    }
    if (!files.isEmpty()) {
      String more = files.size() > 1 ? "; and " + (files.size() - 1) + " more" : "";
      reasons.add(files.get(0) + more);
    }
    unsearched.ifPresent(reasons::add);
    return reasons;
  }

  /**
   * Returns a note, if anything is left out.
   *
   * @param pattern as it is written
   */
  Optional<Diagnostic> note(String pattern, SourceSpan span) {
    List<String> reasons = reasons();
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Diagnostic(
                Severity.NOTE, DiagnosticCode.SKIPPED_PLACES, span, message(pattern), reasons));
  }

  private String message(String pattern) {
    int symbols = indirect + unusable;
    List<String> counts = new ArrayList<>();
    if (symbols > 0) {
      counts.add(symbols == 1 ? "1 symbol" : symbols + " symbols");
    }
    if (!files.isEmpty()) {
      counts.add(files.size() == 1 ? "1 file" : files.size() + " files");
    }
    return counts.isEmpty()
        ? pattern + " may match more programs and libraries"
        : String.join(" and ", counts)
            + " that "
            + pattern
            + " means "
            + (symbols + files.size() == 1 ? "is" : "are")
            + " left out";
  }
}
