package dev.ply.analysis.site;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.Glob;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Expands a raw tracepoint to those it selects on a target. Some have no record, but all have a BTF
 * type, in the BTF of the module that defines them.
 */
final class ExpandRawTracepoint {
  /** The category of tracepoints that ftrace itself makes of others: they have no raw form. */
  private static final String SYSCALLS = "syscalls:";

  /** The function of a raw tracepoint that calls its probes. */
  private static final String CALLER = "__traceiter_";

  private final Target target;
  private final Diagnostics diagnostics;

  ExpandRawTracepoint(Target target, Diagnostics diagnostics) {
    this.target = target;
    this.diagnostics = diagnostics;
  }

  /** Returns the probes; none after a diagnostic. */
  List<AttachPoint> apply(AttachPoint.RawTracepoint point, SourceSpan span) {
    try {
      return point.place() instanceof RawTracepointSelector.Events pattern
          ? matching(pattern, span)
          : single(point, (RawTracepointSelector.Event) point.place(), span);
    } catch (UnreadableTargetException e) {
      if (point.place() instanceof RawTracepointSelector.Event) {
        // Without privileges to list tracepoints, raw ones can still be attached: the kernel checks
        // the name.
        return List.of(point);
      }
      diagnostics.error(
          DiagnosticCode.UNREADABLE,
          span,
          point.definition() + " cannot be looked up: " + e.getMessage());
      return List.of();
    }
  }

  private List<AttachPoint> matching(RawTracepointSelector.Events pattern, SourceSpan span) {
    Optional<Glob> module = pattern.module().filter(own -> !own.toString().equals("*"));
    List<AttachPoint> found =
        names()
            .filter(pattern.event()::matches)
            .distinct()
            .sorted()
            .filter(
                event ->
                    module.isEmpty()
                        || (module.get().matches(RawTracepointSelector.KERNEL) && isInKernel(event))
                        || (!Glob.isGlob(module.get().toString())
                            && isIn(module.get().toString(), event)))
            .<AttachPoint>map(AttachPoint.RawTracepoint::new)
            .toList();
    if (found.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_TRACEPOINT,
          span,
          "no raw tracepoint matches " + pattern.text(),
          Suggestions.hint(
              pattern.event().toString().replaceAll("[^A-Za-z0-9_]", ""), names().distinct()));
    }
    return found;
  }

  private List<AttachPoint> single(
      AttachPoint.RawTracepoint point, RawTracepointSelector.Event place, SourceSpan span) {
    boolean isChecked = names().findAny().isPresent() && target.types().isKnown();
    boolean isThere =
        place.module().isEmpty()
            ? isThere(place.event())
            : isIn(place.module().get(), place.event());
    if (!isChecked || isThere) {
      return List.of(point);
    }
    diagnostics.error(
        DiagnosticCode.UNKNOWN_TRACEPOINT,
        span,
        place.module().isEmpty()
            ? "this kernel has no raw tracepoint \"" + place.event() + "\""
            : "\"" + place.module().get() + "\" has no raw tracepoint \"" + place.event() + "\"",
        place.module().isPresent() && isThere(place.event())
            ? new String[] {Suggestions.NOT_IN_MODULE}
            : Suggestions.hint(place.event(), names()));
    return List.of();
  }

  private Stream<String> names() {
    return target
        .tracepoints()
        .names()
        .filter(name -> !name.startsWith(SYSCALLS))
        .map(name -> name.substring(name.indexOf(':') + 1));
  }

  private boolean isThere(String event) {
    return names().anyMatch(event::equals) || isInKernel(event);
  }

  private boolean isInKernel(String event) {
    return target.types().rawTracepointProbe(event).isPresent();
  }

  private boolean isIn(String module, String event) {
    return module.equals(RawTracepointSelector.KERNEL)
        ? isInKernel(event)
        : target.types().module(module).functionNames().contains(CALLER + event);
  }
}
