package dev.ply.lang.build;

import static dev.ply.probe.PerfCounter.Source.HARDWARE;
import static dev.ply.probe.PerfCounter.Source.SOFTWARE;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.PerfPeriod;
import dev.ply.probe.Provider;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Parses a probe definition. An abbreviated provider is the first one that starts so. */
final class ProbeDefinition {
  private static final List<String> KEYWORDS =
      Arrays.stream(Provider.values()).map(Provider::keyword).toList();

  /** What a pattern of the kind of probe can mean; returns are not among them, as in bpftrace. */
  private static final List<Provider> KERNEL_KINDS =
      List.of(
          Provider.KPROBE,
          Provider.FENTRY,
          Provider.TRACEPOINT,
          Provider.RAW_TRACEPOINT,
          Provider.SOFTWARE,
          Provider.HARDWARE,
          Provider.ITERATOR);

  /** The same before the path of a program or library. */
  private static final List<Provider> USER_KINDS = List.of(Provider.UPROBE, Provider.USDT);

  private static final String PROVIDER_LIST =
      "there are "
          + String.join(", ", KEYWORDS.subList(0, KEYWORDS.size() - 1))
          + " and "
          + KEYWORDS.get(KEYWORDS.size() - 1);

  private static final Pattern QUOTED_NAME = Pattern.compile("\"([\\w.]+)\"");

  private final Diagnostics diagnostics;
  private final boolean isInNanoseconds;

  /** A parser of definitions whose timers, where they have no unit, may be in nanoseconds. */
  ProbeDefinition(Diagnostics diagnostics, boolean isInNanoseconds) {
    this.diagnostics = diagnostics;
    this.isInNanoseconds = isInNanoseconds;
  }

  /** Returns the attach point; empty after an error. */
  Optional<AttachPoint> parse(String text, SourceSpan span) {
    int colon = text.indexOf(':');
    String provider = colon < 0 ? text : text.substring(0, colon);
    String rest = text.substring(colon + 1);
    if (colon < 0) {
      // Only parameters can make a definition without a colon.
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
      case KPROBE ->
          place(() -> new KernelProbe.Kprobe(KernelSelector.parse(unquoted(rest))), span);
      case KRETPROBE -> place(() -> KernelProbe.Kretprobe.parse(unquoted(rest)), span);
      case FENTRY ->
          place(() -> new KernelProbe.Fentry(KernelSelector.parseEntry(unquoted(rest))), span);
      case FEXIT ->
          place(() -> new KernelProbe.Fexit(KernelSelector.parseEntry(unquoted(rest))), span);
      case UPROBE -> place(() -> new UserProbe.Uprobe(UserSelector.parse(rest)), span);
      case URETPROBE -> place(() -> new UserProbe.Uretprobe(UserSelector.parseEntry(rest)), span);
      case USDT -> place(() -> new AttachPoint.Usdt(UsdtSelector.parse(rest)), span);
      case TRACEPOINT ->
          place(
              () -> new AttachPoint.Tracepoint(TracepointSelector.parse(inAnyCategory(rest))),
              span);
      case RAW_TRACEPOINT ->
          place(
              () -> new AttachPoint.RawTracepoint(RawTracepointSelector.parse(inAnyCategory(rest))),
              span);
      case PROFILE -> clock(text, rest, span).profile();
      case INTERVAL -> clock(text, rest, span).interval();
      case SOFTWARE ->
          place(() -> new CounterProbe.Software(PerfPeriod.parse(SOFTWARE, rest)), span);
      case HARDWARE ->
          place(() -> new CounterProbe.Hardware(PerfPeriod.parse(HARDWARE, rest)), span);
      case WATCHPOINT -> place(() -> new AttachPoint.Watchpoint(WatchSelector.parse(rest)), span);
      case ITERATOR -> place(() -> new AttachPoint.Iterator(rest), span);
      case BEGIN -> Optional.of(new TracerProbe.Begin());
      case END -> Optional.of(new TracerProbe.End());
      case SELF -> place(() -> TracerProbe.UserSignal.parse(rest), span);
      case TEST -> place(() -> new TracerProbe.Test(rest), span);
      case BENCH -> place(() -> new TracerProbe.Bench(rest), span);
    };
  }

  /** Returns a point of each kind that a pattern matches and whose definitions have this form. */
  private Optional<AttachPoint> anyKind(String text, String pattern, String rest, SourceSpan span) {
    Glob glob = new Glob(pattern);
    List<String> kinds =
        (rest.startsWith("/") ? USER_KINDS : KERNEL_KINDS)
            .stream().map(Provider::keyword).filter(glob::matches).toList();
    if (kinds.isEmpty()) {
      unknown(pattern, span);
      return Optional.empty();
    }
    if (kinds.size() == 1) {
      return parse(kinds.get(0) + ":" + rest, span);
    }
    ProbeDefinition quiet = new ProbeDefinition(new Diagnostics(), isInNanoseconds);
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

  /** A tracepoint's event alone, as a pattern, is that of any category. */
  private static String inAnyCategory(String place) {
    return Glob.isGlob(place) && !place.contains(":") && !place.contains("/")
        ? "*:" + place
        : place;
  }

  /** Names of the kernel's functions need no quotes, and may have them. */
  private static String unquoted(String place) {
    return QUOTED_NAME.matcher(place).replaceAll("$1");
  }

  private ClockDefinition clock(String text, String rest, SourceSpan span) {
    return new ClockDefinition(text, rest, span, diagnostics, isInNanoseconds);
  }

  private Optional<AttachPoint> alone(String provider, SourceSpan span) {
    return switch (provider) {
      case "BEGIN", "begin" -> Optional.of(new TracerProbe.Begin());
      case "END", "end" -> Optional.of(new TracerProbe.End());
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
