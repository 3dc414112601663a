package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import dev.ply.probe.MissingProbes;
import dev.ply.result.AttachedSite;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of attaching a script's sites. The kernel can refuse some sites of a pattern, but not
 * all.
 */
public final class AttachReport {
  private static final int NAMED = 3;

  private final Target target;
  private final Function<Feature, Optional<String>> missing;
  private final List<AttachSite> attached = new ArrayList<>();
  private final Map<String, Outcome> byPattern = new LinkedHashMap<>();
  private final List<Diagnostic> warnings = new ArrayList<>();
  private boolean hasOpened;

  private record Refusal(AttachSpec spec, AttachSite site, RuntimeException reason) {}

  /** The outcome for the sites of one pattern. */
  private static final class Outcome {
    private final List<Refusal> refusals = new ArrayList<>();
    private int open;

    boolean mayBeMissing() {
      return refusals.get(0).site().missing() != MissingProbes.ERROR;
    }

    private int attached;
  }

  /**
   * Creates a report for a target.
   *
   * @param missing why the kernel lacks a feature, as {@link KernelFeatures#missing} returns it
   */
  public AttachReport(Target target, Function<Feature, Optional<String>> missing) {
    this.target = target;
    this.missing = missing;
  }

  /**
   * Records that a site will be attached. Breakpoints are tried before, since afterwards all may be
   * in use.
   */
  void opening(AttachSpec spec) {
    if (spec instanceof AttachSpec.Watchpoint watchpoint && warnings.isEmpty()) {
      missing
          .apply(Feature.BREAKPOINTS)
          .ifPresent(reason -> warnings.add(silent(watchpoint.site(), reason)));
    }
  }

  /** Records attached sites. */
  void attached(AttachSpec spec) {
    for (AttachSite site : spec.sites()) {
      attached.add(site);
      site.pattern().ifPresent(pattern -> outcome(pattern).attached++);
    }
  }

  /** Records refused sites, or throws the error to report. */
  void refused(AttachSpec spec, RuntimeException reason) {
    if (reason instanceof UnreadableTargetException && !SystemCalls.canOpen()) {
      // A lack of descriptors is not the site's error.
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

  /** Returns whether another site could still be attached. */
  private static boolean isOfTheSite(RuntimeException reason) {
    if (!(reason instanceof KernelException refusal)) {
      return reason instanceof UnreadableTargetException;
    }
    return switch (refusal.errno()) {
      case ENOENT, EINVAL, EILSEQ, EADDRNOTAVAIL, EBUSY, EEXIST, ENODEV, EOPNOTSUPP -> true;
      default -> false;
    };
  }

  /** Records that a site is open. */
  void opened(AttachSpec spec) {
    hasOpened = true;
    spec.sites().forEach(site -> site.pattern().ifPresent(pattern -> outcome(pattern).open++));
  }

  /** Throws if all sites of a pattern were refused before any was attached. */
  void requireSites() {
    byPattern.values().stream()
        .filter(outcome -> outcome.open == 0)
        .filter(outcome -> !outcome.mayBeMissing() || !hasOpened)
        .findFirst()
        .ifPresent(this::fail);
  }

  private void fail(Outcome outcome) {
    Refusal first = outcome.refusals.get(0);
    throw AttachDiagnosis.explain(first.spec(), target, first.reason());
  }

  /** Returns warnings, and notes about refused sites; throws if a pattern has no others. */
  List<Diagnostic> finish() {
    List<Diagnostic> notes = new ArrayList<>(warnings);
    byPattern.forEach(
        (pattern, outcome) -> {
          if (outcome.attached > 0) {
            if (!outcome.refusals.isEmpty()) {
              notes.add(note(pattern, outcome));
            }
          } else if (attached.isEmpty() || !outcome.mayBeMissing()) {
            fail(outcome);
          } else if (outcome.refusals.get(0).site().missing() == MissingProbes.WARN) {
            notes.add(leftOut(pattern, outcome.refusals.get(0)));
          }
        });
    return notes;
  }

  /** Returns the attached sites, in order of attaching. */
  public List<AttachedSite> attached() {
    return attached.stream()
        .map(site -> new AttachedSite(site.definition(), site.mechanism(), site.reason()))
        .toList();
  }

  private static Diagnostic silent(AttachSite site, String reason) {
    return new Diagnostic(
        Severity.WARNING,
        DiagnosticCode.NOT_OFFERED,
        site.span(),
        site.definition() + " shows nothing: " + reason,
        List.of(
            "emulators and some virtual machines accept them without effect: trace on other"
                + " hardware, or probe the functions that access the memory"));
  }

  private Diagnostic leftOut(String pattern, Refusal refusal) {
    RuntimeException reason = AttachDiagnosis.explain(refusal.spec(), target, refusal.reason());
    String message =
        reason instanceof CompilationException error
            ? error.diagnostics().get(0).message()
            : String.valueOf(reason.getMessage());
    return new Diagnostic(
        Severity.NOTE,
        DiagnosticCode.SKIPPED_PLACES,
        refusal.site().span(),
        pattern + " is skipped: " + message,
        List.of());
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
            + " sites of "
            + pattern,
        List.of(String.join(", ", names) + (more > 0 ? " and " + more + " more" : "")));
  }
}
