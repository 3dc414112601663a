package dev.ply.analysis.site;

import static dev.ply.diagnostic.DiagnosticCode.NOT_OFFERED;
import static dev.ply.diagnostic.DiagnosticCode.SKIPPED_PLACES;
import static dev.ply.diagnostic.DiagnosticCode.TOO_MANY_PLACES;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_FUNCTION;

import dev.ply.Safety;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Clause;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.CounterProbe;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.OffCpuProbe;
import dev.ply.probe.Provider.Offer;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.WatchSelector;
import dev.ply.target.FunctionCatalog.Selection;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Expands an attach point to the probe sites it selects on a target. */
public final class ExpandPoint {
  /** How many names an error message suggests at most. */
  static final int MOST_NAMES = 4;

  /**
   * The maximum number of probe sites of a script. Attaching one is cheap, detaching one costs tens
   * of milliseconds.
   */
  public static final int MOST_SITES = 1024;

  private final Target target;
  private final Configuration configuration;
  private final int mostSites;
  private final Safety safety;
  private final Diagnostics diagnostics;
  private int sites;

  /**
   * Creates an expansion for a target.
   *
   * @param configuration whether a missing site is skipped, as one of a pattern is, which are kept,
   *     and how many there may be
   * @param safety whether code may be probed that no symbol covers
   */
  public ExpandPoint(
      Target target, Configuration configuration, Safety safety, Diagnostics diagnostics) {
    this.target = target;
    this.safety = safety;
    this.configuration = configuration;
    this.mostSites = configuration.number(Setting.MAX_PROBES).orElse(MOST_SITES);
    this.diagnostics = diagnostics;
  }

  /** Returns the probe sites of a clause in the kernel's order; none after an error. */
  public List<ProbeSite> apply(Clause clause) {
    List<AttachPoint> points = points(clause);
    sites += points.size();
    if (sites > mostSites && sites - points.size() <= mostSites) {
      diagnostics.error(
          TOO_MANY_PLACES,
          clause.pointSpan(),
          clause.point().definition()
              + (sites > points.size() ? " brings this script to " : " selects ")
              + sites
              + " probe sites",
          "a script may have " + mostSites + ": narrow the pattern, or set max_probes");
    }
    List<ProbeSite> found = new ArrayList<>(points.size());
    String definition = clause.point().definition();
    Optional<AttachPoint> pattern = Optional.of(clause.point());
    // Only in user space can one definition select the same function several times: inlined copies.
    boolean mayBeMeantItself =
        !configuration.skipsMissingProbes()
            && (points.size() == 1 || clause.point().isInUserSpace());
    for (AttachPoint point : points) {
      boolean isItself = mayBeMeantItself && point.definition().equals(definition);
      found.add(
          new ProbeSite(
              point,
              clause.pointSpan(),
              isItself ? Optional.empty() : pattern,
              configuration.missingProbes()));
    }
    return found;
  }

  private List<AttachPoint> points(Clause clause) {
    return clause.point().accept(new Sites(clause)).stream().filter(configuration::keeps).toList();
  }

  /** Expands each kind of attach point to attach points without patterns. */
  private final class Sites implements AttachPoint.Visitor<List<AttachPoint>> {
    private final Clause clause;
    private final SourceSpan span;

    Sites(Clause clause) {
      this.clause = clause;
      this.span = clause.pointSpan();
    }

    @Override
    public List<AttachPoint> visit(KernelProbe point) {
      Optional<List<AttachPoint>> moved =
          new MovedFunction(target, diagnostics).apply(point, clause);
      if (moved.isPresent()) {
        return moved.get();
      }
      if (point.offers(Offer.NAMED_ARGUMENTS)) {
        return typed(point, span);
      }
      if (point.place() instanceof KernelSelector.Functions pattern) {
        return functions(point, pattern, span);
      }
      List<AttachPoint> several = several(point);
      if (!several.isEmpty()) {
        return several;
      }
      return configuration.skipsMissingProbes() && isMissing(point)
          ? missing(point, span)
          : List.of(point);
    }

    @Override
    public List<AttachPoint> visit(UserProbe point) {
      return users().apply(point, span);
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.Usdt point) {
      return users().apply(point, span);
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.Tracepoint point) {
      return new ExpandTracepoint(target.tracepoints(), diagnostics).apply(point, span);
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.RawTracepoint point) {
      return new ExpandRawTracepoint(target, diagnostics).apply(point, span);
    }

    @Override
    public List<AttachPoint> visit(TimerProbe point) {
      return List.of(point);
    }

    @Override
    public List<AttachPoint> visit(CounterProbe point) {
      return List.of(point);
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.Watchpoint point) {
      return watched(point, span);
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.Iterator point) {
      return iterated(point, span);
    }

    /** Replaced by clauses on a tracepoint. */
    @Override
    public List<AttachPoint> visit(OffCpuProbe point) {
      return List.of(point);
    }

    @Override
    public List<AttachPoint> visit(TracerProbe point) {
      return List.of(point);
    }

    /** {@link ExpandKinds} has replaced them. */
    @Override
    public List<AttachPoint> visit(AttachPoint.AnyKind point) {
      return List.of();
    }

    @Override
    public List<AttachPoint> visit(AttachPoint.Unknown point) {
      return List.of(point);
    }

    private ExpandUserPoint users() {
      return new ExpandUserPoint(target.binaries(), mostSites, safety, diagnostics);
    }
  }

  /** Returns a probe on each of several functions of one name, by address; none of a single one. */
  private List<AttachPoint> several(KernelProbe point) {
    Optional<KernelSelector.Function> function =
        FunctionHints.function(point).filter(named -> named.module().isEmpty());
    try {
      if (function.isEmpty()
          || !target.attachFeatures().isShared(function.get().name(), target.symbols())) {
        return List.of();
      }
    } catch (UnreadableTargetException e) {
      return List.of();
    }
    long offset = point.place() instanceof KernelSelector.Inside inside ? inside.offset() : 0;
    return target.symbols().named(function.get().name()).stream()
        .filter(extent -> offset == 0 || offset < extent.size())
        .<AttachPoint>map(
            extent ->
                point.at(
                    new KernelSelector.Address(
                        extent.address() + offset, Optional.of(point.place().text()))))
        .toList();
  }

  /** Returns whether the kernel certainly lacks a function; attaching finds the others. */
  private boolean isMissing(KernelProbe point) {
    Optional<String> name = FunctionHints.function(point).map(KernelSelector.Function::name);
    try {
      return name.isPresent()
          && !OldSystemCalls.isSystemCall(point, target)
          && target.symbols().names().findAny().isPresent()
          && target.symbols().names().noneMatch(name.get()::equals);
    } catch (UnreadableTargetException e) {
      return false;
    }
  }

  private List<AttachPoint> missing(KernelProbe point, SourceSpan span) {
    diagnostics.add(
        FunctionHints.missing(span, FunctionHints.function(point).orElseThrow(), target));
    return List.of();
  }

  private List<AttachPoint> watched(AttachPoint.Watchpoint point, SourceSpan span) {
    if (!(point.place().place() instanceof WatchSelector.Symbol symbol)
        || !target.symbols().addresses(symbol.name()).isEmpty()) {
      return List.of(point);
    }
    diagnostics.error(
        UNKNOWN_FUNCTION,
        span,
        "this kernel has no variable or function \"" + symbol.name() + "\", or hides its address",
        Suggestions.hint(symbol.name(), target.symbols().names()));
    return List.of();
  }

  private List<AttachPoint> iterated(AttachPoint.Iterator point, SourceSpan span) {
    if (target.types().isKnown() && !hasTypes(point)) {
      diagnostics.error(
          UNKNOWN_FUNCTION,
          span,
          "this kernel does not iterate over \"" + point.objects() + "\"",
          "kinds are task (Linux 5.8), task_file (5.8), task_vma (5.12) and others: ply -l"
              + " 'iter:*'");
      return List.of();
    }
    if (!target.types().isKnown()) {
      diagnostics.error(
          NOT_OFFERED,
          span,
          point.definition() + " requires type information, which this kernel lacks",
          "kernels built with CONFIG_DEBUG_INFO_BTF have it");
      return List.of();
    }
    return List.of(point);
  }

  private List<AttachPoint> functions(
      KernelProbe point, KernelSelector.Functions pattern, SourceSpan span) {
    Selection selection;
    try {
      // Probes typed by BTF resolve names elsewhere.
      selection =
          point.offers(Offer.NAMED_ARGUMENTS)
              ? target.functions().select(pattern)
              : target.functions().selectTraced(pattern);
    } catch (UnreadableTargetException e) {
      diagnostics.error(
          DiagnosticCode.UNREADABLE,
          span,
          point.definition() + " cannot be looked up: " + e.getMessage());
      return List.of();
    }
    // BTF has types by name.
    List<KernelSelector.Address> shared =
        point.offers(Offer.NAMED_ARGUMENTS) ? List.of() : selection.shared();
    int skipped =
        selection.untraceable()
            + selection.ambiguous()
            + (selection.shared().size() - shared.size());
    int all = selection.functions().size() + shared.size() + skipped;
    if (selection.functions().isEmpty() && shared.isEmpty()) {
      diagnostics.error(
          UNKNOWN_FUNCTION,
          span,
          all == 0
              ? "this kernel has no function that matches " + point.definition()
              : "none of the "
                  + all
                  + " functions that match "
                  + point.definition()
                  + " can be probed",
          all == 0
              ? Suggestions.hint(literal(pattern.name().toString()), target.symbols().names())
              : new String[] {reasons(selection) + named(pattern)});
    } else if (skipped > 0 && selection.functions().size() <= mostSites) {
      diagnostics.note(
          SKIPPED_PLACES,
          span,
          skipped
              + " of the "
              + all
              + " functions that match "
              + point.definition()
              + (skipped == 1 ? " is" : " are")
              + " skipped",
          reasons(selection));
    }
    List<AttachPoint> points = new ArrayList<>(selection.functions().size());
    for (KernelSelector.Function function : selection.functions()) {
      points.add(point.on(function));
    }
    for (KernelSelector.Address address : shared) {
      points.add(point.at(address));
    }
    return points;
  }

  /** Returns the first few names that match. */
  private String named(KernelSelector.Functions pattern) {
    List<String> names =
        target.symbols().names().filter(pattern.name()::matches).distinct().sorted().toList();
    return names.isEmpty()
        ? ""
        : ": "
            + String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMES)))
            + (names.size() > MOST_NAMES ? ", …" : "");
  }

  /** Returns the functions that have types in BTF. */
  private List<AttachPoint> typed(KernelProbe point, SourceSpan span) {
    KernelSelector place = point.place();
    if (!target.types().isKnown()) {
      diagnostics.error(
          NOT_OFFERED,
          span,
          point.definition() + " requires type information, which this kernel lacks",
          "kernels built with CONFIG_DEBUG_INFO_BTF have it; a kprobe needs none");
      return List.of();
    }
    Optional<String> module =
        place instanceof KernelSelector.Function function ? function.module() : Optional.empty();
    if (module.isPresent() && !target.types().module(module.get()).isKnown()) {
      diagnostics.error(
          NOT_OFFERED,
          span,
          point.definition()
              + " needs type information of the module \""
              + module.get()
              + "\", which this kernel lacks",
          "loaded modules have it since Linux 5.11, if built with CONFIG_DEBUG_INFO_BTF_MODULES; a"
              + " kprobe needs none");
      return List.of();
    }
    List<AttachPoint> all =
        place instanceof KernelSelector.Functions pattern
            ? functions(point, pattern, span)
            : List.of(point);
    List<AttachPoint> known = all.stream().filter(this::hasTypes).toList();
    if (known.isEmpty() && !all.isEmpty()) {
      diagnostics.error(
          UNKNOWN_FUNCTION,
          span,
          "BTF has no types of functions that match " + point.definition(),
          place instanceof KernelSelector.Function function
              ? untyped(point, function)
              : Suggestions.hint(literal(place.text()), target.symbols().names()));
    } else if (known.size() < all.size()) {
      diagnostics.note(
          SKIPPED_PLACES,
          span,
          (all.size() - known.size())
              + " of the functions that match "
              + point.definition()
              + " are skipped",
          "BTF has no types of them");
    }
    return known;
  }

  private String[] untyped(KernelProbe point, KernelSelector.Function function) {
    return target.symbols().names().anyMatch(function.name()::equals)
        ? new String[] {
          "the function exists: "
              + (point.isReturn() ? "kretprobe:" : "kprobe:")
              + function.text()
              + " probes it without types"
        }
        : FunctionHints.of(function, target);
  }

  private boolean hasTypes(AttachPoint point) {
    return point
        .typedFunction()
        .flatMap(function -> target.types().function(function))
        .filter(function -> !function.isVariadic())
        .isPresent();
  }

  private static String reasons(Selection selection) {
    List<String> reasons = new ArrayList<>();
    if (selection.untraceable() > 0) {
      reasons.add(selection.untraceable() + " cannot be probed");
    }
    int ambiguous = selection.ambiguous() + selection.shared().size();
    if (ambiguous > 0) {
      reasons.add(
          ambiguous
              + (ambiguous == 1 ? " shares its name" : " share their names")
              + " with others");
    }
    return String.join(", ", reasons);
  }

  /** Returns the longest part of a pattern that could be a name. */
  static String literal(String pattern) {
    return pattern.replaceAll("[^A-Za-z0-9_:.-]", "");
  }
}
