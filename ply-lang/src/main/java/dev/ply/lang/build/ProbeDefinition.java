package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.lang.argument.ScriptArguments.TimerUnit;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider;
import dev.ply.probe.TracerProbe;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Parses a probe definition. An abbreviated provider is the first one that starts so. */
final class ProbeDefinition {
  private static final List<String> KEYWORDS =
      Arrays.stream(Provider.values()).map(Provider::keyword).toList();

  private static final String PROVIDER_LIST =
      "there are "
          + String.join(", ", KEYWORDS.subList(0, KEYWORDS.size() - 1))
          + " and "
          + KEYWORDS.get(KEYWORDS.size() - 1);

  private final Diagnostics diagnostics;
  private final TimerUnit timers;

  /** A parser of definitions whose timers, where they have no unit, count in a given one. */
  ProbeDefinition(Diagnostics diagnostics, TimerUnit timers) {
    this.diagnostics = diagnostics;
    this.timers = timers;
  }

  /** Returns the attach point; empty after an error. */
  Optional<AttachPoint> parse(String text, SourceSpan span) {
    int colon = text.indexOf(':');
    String provider = colon < 0 ? text : text.substring(0, colon);
    String rest = text.substring(colon + 1);
    if (colon < 0) {
      // Of any reason, or made by parameters.
      return alone(provider, span);
    }
    if (provider.contains("*")) {
      return anyKind(text, provider, rest, span);
    }
    Optional<Provider> known = Provider.named(provider);
    if (known.isEmpty()) {
      unknown(provider, span);
      return Optional.empty();
    }
    return switch (known.get()) {
      case PROFILE -> clock(text, rest, span).profile();
      case INTERVAL -> clock(text, rest, span).interval();
      default -> place(() -> known.get().parse(rest), span);
    };
  }

  /** Returns a point of each kind that a pattern matches and whose definitions have this form. */
  private Optional<AttachPoint> anyKind(String text, String pattern, String rest, SourceSpan span) {
    Glob glob = new Glob(pattern);
    boolean isInUserSpace = rest.startsWith("/");
    List<String> kinds =
        Provider.with(Provider.Trait.PATTERN).stream()
            .filter(kind -> kind.site().isInUserSpace() == isInUserSpace)
            .map(Provider::keyword)
            .filter(glob::matches)
            .toList();
    if (kinds.isEmpty()) {
      unknown(pattern, span);
      return Optional.empty();
    }
    if (kinds.size() == 1) {
      return parse(kinds.get(0) + ":" + rest, span);
    }
    ProbeDefinition quiet = new ProbeDefinition(new Diagnostics(), timers);
    List<AttachPoint> points =
        kinds.stream()
            .flatMap(kind -> quiet.parse(kind + ":" + rest, span).stream())
            .filter(point -> !(point instanceof AttachPoint.Iterator && Glob.isGlob(rest)))
            .toList();
    if (points.isEmpty()) {
      bad(
          span,
          "\"" + rest + "\" is not a probe of any provider that \"" + pattern + "\" matches",
          "it matches " + String.join(", ", kinds));
      return Optional.empty();
    }
    return Optional.of(new AttachPoint.AnyKind(text, points));
  }

  private ClockDefinition clock(String text, String rest, SourceSpan span) {
    return new ClockDefinition(text, rest, span, diagnostics, timers);
  }

  private Optional<AttachPoint> alone(String provider, SourceSpan span) {
    return switch (provider) {
      case "BEGIN", "begin" -> Optional.of(new TracerProbe.Begin());
      case "END", "end" -> Optional.of(new TracerProbe.End());
      case "offcpu" -> place(() -> Provider.OFFCPU.parse(""), span);
      default -> {
        bad(
            span,
            "\"" + provider + "\" is not a probe",
            "write kprobe:vfs_read or BEGIN, for example");
        yield Optional.empty();
      }
    };
  }

  /** Returns whether input after a definition can belong to it: it ends with its colon. */
  static boolean isForeign(String text) {
    int colon = text.indexOf(':');
    return colon > 0 && colon == text.length() - 1;
  }

  private void unknown(String provider, SourceSpan span) {
    diagnostics.error(
        DiagnosticCode.UNKNOWN_PROVIDER,
        span,
        "unknown provider \"" + provider + "\"",
        Suggestions.hint(provider, KEYWORDS.stream(), PROVIDER_LIST));
  }

  private Optional<AttachPoint> place(Supplier<AttachPoint> parsed, SourceSpan span) {
    try {
      return Optional.of(parsed.get());
    } catch (InvalidSelectorException e) {
      bad(span, String.valueOf(e.getMessage()), e.hint());
      return Optional.empty();
    }
  }

  private void bad(SourceSpan span, String message, String hint) {
    diagnostics.error(DiagnosticCode.BAD_PROBE_DEFINITION, span, message, hint);
  }
}
