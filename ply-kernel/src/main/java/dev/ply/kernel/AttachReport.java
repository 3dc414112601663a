package dev.ply.kernel;

import dev.ply.analysis.ProbeSite;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.SourceSpan;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What became of the places that a script is to be attached to. Of those that a pattern means, the
 * kernel may refuse some, but not all.
 */
final class AttachReport {
  private static final int NAMED = 3;

  private final Target target;
  private final List<Outcome> outcomes = new ArrayList<>();

  /** By the patterns, of which each clause has one: comparing their parts takes long. */
  private final IdentityHashMap<AttachPoint, Outcome> byPattern = new IdentityHashMap<>();

  private record Refusal(ProbeSite site, RuntimeException reason) {}

  private static final class Outcome {
    private final AttachPoint pattern;
    private final SourceSpan span;
    private final List<Refusal> refusals = new ArrayList<>();
    private int attached;

    private Outcome(AttachPoint pattern, SourceSpan span) {
      this.pattern = pattern;
      this.span = span;
    }
  }

  AttachReport(Target target) {
    this.target = target;
  }

  /** Notes a place that was attached to. */
  void attached(ProbeSite site) {
    if (site.pattern().isPresent()) {
      outcome(site).attached++;
    }
  }

  /** Notes a place that was refused, or throws what to say about it. */
  void refused(ProbeSite site, RuntimeException reason) {
    if (reason instanceof UnreadableTargetException && !SystemCalls.canOpen()) {
      // It is no fault of the place that its files cannot be opened.
      throw new KernelException(Errno.EMFILE, site.point().definition());
    }
    if (site.pattern().isEmpty() || !isOfThePlace(reason)) {
      throw AttachDiagnosis.explain(site, target, reason);
    }
    outcome(site).refusals.add(new Refusal(site, reason));
  }

  private Outcome outcome(ProbeSite site) {
    return byPattern.computeIfAbsent(
        site.pattern().orElseThrow(),
        pattern -> {
          Outcome outcome = new Outcome(pattern, site.span());
          outcomes.add(outcome);
          return outcome;
        });
  }

  /** Tells whether the next place may fare better. */
  private static boolean isOfThePlace(RuntimeException reason) {
    if (!(reason instanceof KernelException refusal)) {
      return reason instanceof UnreadableTargetException;
    }
    return switch (refusal.errno()) {
      case ENOENT, EINVAL, EILSEQ, EADDRNOTAVAIL, EBUSY, EEXIST, ENODEV, EOPNOTSUPP -> true;
      default -> false;
    };
  }

  /**
   * Returns what to tell about places that were refused; throws if they are all that a pattern
   * means.
   */
  List<Diagnostic> finish() {
    List<Diagnostic> notes = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.attached == 0) {
        Refusal first = outcome.refusals.get(0);
        throw AttachDiagnosis.explain(first.site(), target, first.reason());
      }
      if (!outcome.refusals.isEmpty()) {
        notes.add(note(outcome));
      }
    }
    return notes;
  }

  private static Diagnostic note(Outcome outcome) {
    int refused = outcome.refusals.size();
    List<String> names =
        outcome.refusals.stream()
            .limit(NAMED)
            .map(refusal -> refusal.site().point().definition())
            .toList();
    int more = refused - names.size();
    return new Diagnostic(
        Severity.NOTE,
        DiagnosticCode.SKIPPED_PLACES,
        outcome.span,
        "the kernel refused "
            + refused
            + " of the "
            + (refused + outcome.attached)
            + " places that "
            + outcome.pattern.definition()
            + " means",
        List.of(String.join(", ", names) + (more > 0 ? " and " + more + " more" : "")));
  }
}
