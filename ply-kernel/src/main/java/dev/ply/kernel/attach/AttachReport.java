package dev.ply.kernel.attach;

import dev.ply.Session;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.kernel.error.Errno;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the sites that a script is to be attached to. Of those that a pattern means, the
 * kernel may refuse some, but not all.
 */
public final class AttachReport {
  private static final int NAMED = 3;

  private final Target target;
  private final List<AttachSite> attached = new ArrayList<>();
  private final Map<String, Outcome> byPattern = new LinkedHashMap<>();

  private record Refusal(AttachSpec spec, AttachSite site, RuntimeException reason) {}

  /** What became of the sites of one pattern. */
  private static final class Outcome {
    private final List<Refusal> refusals = new ArrayList<>();
    private int attached;
  }

  /** A report about what is attached on that target. */
  public AttachReport(Target target) {
    this.target = target;
  }

  /** Notes sites that were attached to. */
  void attached(AttachSpec spec) {
    for (AttachSite site : spec.sites()) {
      attached.add(site);
      site.pattern().ifPresent(pattern -> outcome(pattern).attached++);
    }
  }

  /** Notes sites that were refused, or throws what to report about it. */
  void refused(AttachSpec spec, RuntimeException reason) {
    if (reason instanceof UnreadableTargetException && !SystemCalls.canOpen()) {
      // It is no fault of the site that its files cannot be opened.
      throw new KernelException(Errno.EMFILE, spec.sites().get(0).definition());
    }
    boolean isNamed = spec.sites().stream().anyMatch(site -> site.pattern().isEmpty());
    if (isNamed || !isOfTheSite(reason)) {
      throw AttachDiagnosis.explain(spec, target, reason);
    }
    for (AttachSite site : spec.sites()) {
      outcome(site.pattern().orElseThrow()).refusals.add(new Refusal(spec, site, reason));
    }
  }

  private Outcome outcome(String pattern) {
    return byPattern.computeIfAbsent(pattern, unused -> new Outcome());
  }

  /** Returns whether the next site may fare better. */
  private static boolean isOfTheSite(RuntimeException reason) {
    if (!(reason instanceof KernelException refusal)) {
      return reason instanceof UnreadableTargetException;
    }
    return switch (refusal.errno()) {
      case ENOENT, EINVAL, EILSEQ, EADDRNOTAVAIL, EBUSY, EEXIST, ENODEV, EOPNOTSUPP -> true;
      default -> false;
    };
  }

  /**
   * Returns what to tell about sites that were refused; throws if they are all that a pattern
   * means.
   */
  List<Diagnostic> finish() {
    List<Diagnostic> notes = new ArrayList<>();
    byPattern.forEach(
        (pattern, outcome) -> {
          if (outcome.attached == 0) {
            Refusal first = outcome.refusals.get(0);
            throw AttachDiagnosis.explain(first.spec(), target, first.reason());
          }
          if (!outcome.refusals.isEmpty()) {
            notes.add(note(pattern, outcome));
          }
        });
    return notes;
  }

  /** Returns what is attached, in the order in which it was. */
  public List<Session.Attached> attached() {
    return attached.stream()
        .map(site -> new Session.Attached(site.definition(), site.mechanism(), site.reason()))
        .toList();
  }

  private static Diagnostic note(String pattern, Outcome outcome) {
    int refused = outcome.refusals.size();
    List<String> names =
        outcome.refusals.stream().limit(NAMED).map(refusal -> refusal.site().definition()).toList();
    int more = refused - names.size();
    return new Diagnostic(
        Severity.NOTE,
        DiagnosticCode.SKIPPED_PLACES,
        outcome.refusals.get(0).site().span(),
        "the kernel refused "
            + refused
            + " of the "
            + (refused + outcome.attached)
            + " places that "
            + pattern
            + " means",
        List.of(String.join(", ", names) + (more > 0 ? " and " + more + " more" : "")));
  }
}
