package dev.ply.analysis.site;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.target.BinaryCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what a pattern means and cannot be probed: one odd file or symbol refuses no other. */
final class LeftOut {
  private int indirect;
  private int unusable;
  private int marks;
  private final List<String> functions = new ArrayList<>();
  private final List<String> files = new ArrayList<>();
  private Optional<String> unsearched = Optional.empty();

  /** Counts the symbols that a selection leaves out. */
  void add(BinaryCatalog.Selection selection) {
    indirect += selection.indirect();
    unusable += selection.unusable();
  }

  /** Counts USDT probes outside code. */
  void addMarks(int count) {
    marks += count;
  }

  /** Counts a function, in which there is no such instruction. */
  void addFunction(String reason) {
    functions.add(reason);
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
    if (marks > 0) {
      reasons.add(marks + " outside code: the file's notes are damaged");
    }
    first(functions).ifPresent(reasons::add);
    first(files).ifPresent(reasons::add);
    unsearched.ifPresent(reasons::add);
    return reasons;
  }

  private static Optional<String> first(List<String> reasons) {
    String more = reasons.size() > 1 ? "; and " + (reasons.size() - 1) + " more" : "";
    return reasons.stream().findFirst().map(reason -> reason + more);
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
    if (marks > 0) {
      counts.add(marks == 1 ? "1 USDT probe" : marks + " USDT probes");
    }
    if (!functions.isEmpty()) {
      counts.add(functions.size() == 1 ? "1 function" : functions.size() + " functions");
    }
    if (!files.isEmpty()) {
      counts.add(files.size() == 1 ? "1 file" : files.size() + " files");
    }
    return counts.isEmpty()
        ? pattern + " may match more programs and libraries"
        : pattern + " skips " + String.join(" and ", counts);
  }
}
