package dev.ply.analysis.site;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.declaration.Configuration;
import dev.ply.probe.MissingProbes;
import dev.ply.selector.Glob;
import dev.ply.type.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reports probe sites that do not exist: as errors, or as notes where the script does without them.
 * As in bpftrace, a pattern of a list may match nothing if others of the list have sites. Before
 * 0.24, that was so for names, too, which scripts of that time rely on: a hint says how it is now.
 */
public final class MissingSites {
  private static final String LEAVING_OUT =
      "config = { missing_probes = \"warn\" } leaves out what is missing";

  private final Configuration configuration;
  private final Diagnostics diagnostics;

  /** Where the clauses are that share a body: those of one list. */
  private Optional<SourceSpan> list = Optional.empty();

  private boolean hasSites;

  /** The matches of the list's patterns, until its other probes are resolved. */
  private final List<Diagnostic> unmatched = new ArrayList<>();

  /** The matches of the list's names, likewise. */
  private final List<Diagnostic> unknown = new ArrayList<>();

  public MissingSites(Configuration configuration, Diagnostics diagnostics) {
    this.configuration = configuration;
    this.diagnostics = diagnostics;
  }

  /**
   * Reports what expanding a clause found, or keeps it until the clause's list ends.
   *
   * @param isFound whether the clause has sites
   */
  public void add(Clause clause, boolean isFound, List<Diagnostic> found) {
    if (!list.equals(Optional.of(clause.span()))) {
      endList();
      list = Optional.of(clause.span());
    }
    hasSites |= isFound;
    boolean mayBeMissing = !configuration.skipsMissingProbes();
    boolean isPattern = Glob.isGlob(clause.point().definition());
    for (Diagnostic one : found) {
      if (mayBeMissing && isMissing(one)) {
        (isPattern ? unmatched : unknown).add(one);
      } else if (!configuration.skipsMissingProbes() || !isMissing(one)) {
        diagnostics.add(one);
      } else if (configuration.missingProbes() == MissingProbes.WARN) {
        diagnostics.add(tolerated(one));
      }
    }
  }

  /** Reports what was kept. */
  public void endList() {
    for (Diagnostic one : unmatched) {
      diagnostics.add(isTolerated() ? tolerated(one) : hasSites ? explained(one) : one);
    }
    for (Diagnostic one : unknown) {
      diagnostics.add(hasSites ? explained(one) : one);
    }
    unmatched.clear();
    unknown.clear();
    hasSites = false;
  }

  /** As in bpftrace, a pattern of a list may match nothing if others of the list have sites. */
  private boolean isTolerated() {
    return hasSites && configuration.dialect() == Dialect.BPFTRACE;
  }

  private static Diagnostic explained(Diagnostic diagnostic) {
    List<String> hints = new ArrayList<>(diagnostic.hints());
    hints.add(LEAVING_OUT);
    return new Diagnostic(
        diagnostic.severity(), diagnostic.code(), diagnostic.span(), diagnostic.message(), hints);
  }

  private static Diagnostic tolerated(Diagnostic diagnostic) {
    return new Diagnostic(
        Severity.NOTE,
        DiagnosticCode.SKIPPED_PLACES,
        diagnostic.span(),
        diagnostic.message(),
        diagnostic.hints());
  }

  private static boolean isMissing(Diagnostic diagnostic) {
    return switch (diagnostic.code()) {
      case UNKNOWN_FUNCTION, UNKNOWN_BINARY, UNKNOWN_TRACEPOINT -> true;
      default -> false;
    };
  }
}
