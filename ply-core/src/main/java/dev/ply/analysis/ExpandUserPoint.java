package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.util.List;
import java.util.function.Supplier;

/** Expands attach points in programs and libraries to the probe sites they select on a target. */
final class ExpandUserPoint {
  private final BinaryCatalog binaries;
  private final Diagnostics diagnostics;

  ExpandUserPoint(BinaryCatalog binaries, Diagnostics diagnostics) {
    this.binaries = binaries;
    this.diagnostics = diagnostics;
  }

  /** Returns the sites of a probe on code; none after a diagnostic. */
  List<AttachPoint> apply(AttachPoint.UserCode point, SourceSpan span) {
    return orNone(point, span, () -> sites(point, span));
  }

  /** Returns the sites of a USDT probe; none after a diagnostic. */
  List<AttachPoint> apply(AttachPoint.Usdt point, SourceSpan span) {
    return orNone(
        point,
        span,
        () ->
            binaries.marks(point.place()).stream()
                .<AttachPoint>map(mark -> new AttachPoint.Usdt(mark.place()))
                .toList());
  }

  private List<AttachPoint> orNone(
      AttachPoint point, SourceSpan span, Supplier<List<AttachPoint>> found) {
    try {
      return found.get();
    } catch (ProbeSiteNotFoundException e) {
      diagnostics.error(
          e.code(), span, String.valueOf(e.getMessage()), e.hints().toArray(String[]::new));
    } catch (UnreadableTargetException e) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_BINARY,
          span,
          point.definition() + " cannot be looked up: " + e.getMessage());
    }
    return List.of();
  }

  private List<AttachPoint> sites(AttachPoint.UserCode point, SourceSpan span) {
    if (!(point.place() instanceof UserSelector.Functions pattern)) {
      // A missing file or symbol is reported here, where its position in the script is known.
      return binaries.locate(point.place()).isEmpty() ? List.of() : List.of(point);
    }
    BinaryCatalog.Selection selection = binaries.select(pattern);
    if (selection.functions().isEmpty()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          "\"" + pattern.binary() + "\" has no function that matches " + pattern.name(),
          selection.indirect() > 0
              ? new String[] {
                selection.indirect()
                    + " matches are indirect functions (IFUNC), which cannot be probed"
              }
              : new String[0]);
    }
    if (selection.indirect() > 0) {
      diagnostics.note(
          DiagnosticCode.SKIPPED_PLACES,
          span,
          selection.indirect()
              + (selection.indirect() == 1 ? " symbol" : " symbols")
              + " that "
              + point.definition()
              + " means "
              + (selection.indirect() == 1 ? "is" : "are")
              + " left out",
          "they run once, to choose a function for this CPU");
    }
    return selection.functions().stream().<AttachPoint>map(point::on).toList();
  }
}
