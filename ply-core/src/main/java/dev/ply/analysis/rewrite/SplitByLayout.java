package dev.ply.analysis.rewrite;

import dev.ply.analysis.site.ProbeSite;
import dev.ply.analysis.site.Variant;
import dev.ply.analysis.typing.RecordUse;
import dev.ply.analysis.typing.ResultType;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Clause;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.Provider.Offer;
import dev.ply.probe.UserProbe;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Splits the tracepoints of a clause by the layout of the fields it reads, and returns from
 * functions by the type of the result: each layout is analysed and compiled once. Formats and types
 * are read only if the clause reads the record, or the result.
 */
public final class SplitByLayout {
  private static final int NAMED = 5;

  private final Target target;
  private final Diagnostics diagnostics;

  public SplitByLayout(Target target, Diagnostics diagnostics) {
    this.target = target;
    this.diagnostics = diagnostics;
  }

  private static Clause at(Clause clause, AttachPoint point) {
    return new Clause(point, clause.pointSpan(), clause.predicate(), clause.body(), clause.span());
  }

  /** Returns the variants of a clause on tracepoints; other clauses have one. */
  public List<Variant> apply(Clause clause, List<ProbeSite> sites) {
    RecordUse use = RecordUse.of(clause);
    if (clause.point().offers(Offer.NAMED_ARGUMENTS)
        && (!(clause.point() instanceof AttachPoint.RawTracepoint) || use.isAny())) {
      // Each has its own types.
      return sites.stream()
          .map(site -> new Variant(at(clause, site.point()), List.of(site), Optional.empty()))
          .toList();
    }
    if (use.needsSite() && clause.point().offers(Offer.BINARY)) {
      // Where the file is loaded follows from the probed address, which differs.
      return sites.stream()
          .map(site -> new Variant(at(site, clause), List.of(site), Optional.empty()))
          .toList();
    }
    if (clause.point() instanceof AttachPoint.Usdt) {
      return byArguments(clause, sites);
    }
    if (use.result().isPresent()
        && (clause.point() instanceof KernelProbe.Kretprobe
            || clause.point() instanceof UserProbe.Uretprobe)) {
      return byResult(clause, use.result().get(), sites);
    }
    if (!use.isAny() || !clause.point().offers(Offer.RECORD) || sites.isEmpty()) {
      return List.of(new Variant(clause, sites, Optional.empty()));
    }
    List<TracepointFormat> formats = new ArrayList<>();
    Map<Object, Group> groups = new LinkedHashMap<>();
    for (ProbeSite site : sites) {
      Optional<TracepointFormat> format = format(site);
      if (format.isEmpty()) {
        return List.of(new Variant(clause, sites, Optional.empty()));
      }
      formats.add(format.get());
      groups
          .computeIfAbsent(use.dependsOn(format.get()), layout -> new Group(format.get()))
          .sites
          .add(site);
    }
    if (formats.size() > 1) {
      use.fields().forEach((field, span) -> requireEverywhere(field, span, formats));
    }
    return groups.values().stream()
        .map(group -> new Variant(clause, group.sites, Optional.of(group.format)))
        .toList();
  }

  /** A USDT probe's arguments can be in other registers or memory at each of its addresses. */
  private List<Variant> byArguments(Clause clause, List<ProbeSite> sites) {
    Map<Object, List<ProbeSite>> groups = new LinkedHashMap<>();
    for (ProbeSite site : sites) {
      groups.computeIfAbsent(arguments(site), unused -> new ArrayList<>()).add(site);
    }
    return sites.isEmpty()
        ? List.of(new Variant(clause, sites, Optional.empty()))
        : groups.values().stream()
            .map(group -> new Variant(at(group.get(0), clause), group, Optional.empty()))
            .toList();
  }

  /** The functions that a pattern selects return values of different types. */
  private List<Variant> byResult(Clause clause, SourceSpan use, List<ProbeSite> sites) {
    prepareResults(sites);
    ResultType types = new ResultType(target);
    Map<Object, List<ProbeSite>> groups = new LinkedHashMap<>();
    for (ProbeSite site : sites) {
      groups.computeIfAbsent(types.ofUnique(site.point()), type -> new ArrayList<>()).add(site);
      if (site.pattern().isEmpty() && types.isElsewhere(site.point())) {
        diagnostics.error(
            DiagnosticCode.NOT_AVAILABLE_HERE,
            use,
            "the result of " + site.point().definition() + " cannot be read",
            "it is a floating-point number, in a register that probes cannot read");
      }
    }
    return sites.isEmpty()
        ? List.of(new Variant(clause, sites, Optional.empty()))
        : groups.values().stream()
            .map(group -> new Variant(at(group.get(0), clause), group, Optional.empty()))
            .toList();
  }

  private void prepareResults(List<ProbeSite> sites) {
    if (sites.size() < 2) {
      return;
    }
    if (sites.get(0).point() instanceof KernelProbe) {
      // All names are read at once.
      var unused = target.types().functionNames();
      return;
    }
    target
        .binaries()
        .readResults(
            sites.stream()
                .<UserSelector>map(site -> ((UserProbe.Uretprobe) site.point()).place())
                .toList());
  }

  private Object arguments(ProbeSite site) {
    UsdtSelector place = ((AttachPoint.Usdt) site.point()).place();
    return target.binaries().marks(place).get(0).arguments();
  }

  private static Clause at(ProbeSite site, Clause clause) {
    return new Clause(
        site.point(), clause.pointSpan(), clause.predicate(), clause.body(), clause.span());
  }

  private static final class Group {
    private final TracepointFormat format;
    private final List<ProbeSite> sites = new ArrayList<>();

    Group(TracepointFormat format) {
      this.format = format;
    }
  }

  private Optional<TracepointFormat> format(ProbeSite site) {
    TracepointSelector.Event event =
        (TracepointSelector.Event) ((AttachPoint.Tracepoint) site.point()).place();
    DiagnosticCode code = DiagnosticCode.UNKNOWN_TRACEPOINT;
    String fault;
    try {
      Optional<TracepointFormat> format =
          target.tracepoints().find(event.category(), event.event());
      if (format.isPresent()) {
        return format;
      }
      fault = "it has gone";
    } catch (UnreadableTargetException e) {
      code = DiagnosticCode.UNREADABLE;
      fault = String.valueOf(e.getMessage());
    }
    diagnostics.error(
        code, site.span(), "cannot look up tracepoint " + event.text() + ": " + fault);
    return Optional.empty();
  }

  private void requireEverywhere(String field, SourceSpan span, List<TracepointFormat> formats) {
    List<String> lacking = names(formats, format -> format.field(field).isEmpty());
    List<String> having = names(formats, format -> format.field(field).isPresent());
    if (lacking.size() == formats.size()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_FIELD,
          span,
          "none of the " + formats.size() + " tracepoints has a field \"" + field + "\"",
          Suggestions.hint(
              field,
              formats.stream()
                  .flatMap(format -> format.fields().stream())
                  .map(TracepointFormat.Field::name)));
    } else if (!lacking.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_FIELD,
          span,
          lacking.size()
              + " of the "
              + formats.size()
              + " tracepoints "
              + (lacking.size() == 1 ? "has" : "have")
              + " no field \""
              + field
              + "\"",
          "it is missing in " + some(lacking),
          "it is there in " + some(having));
    }
  }

  private static List<String> names(
      List<TracepointFormat> formats, Predicate<TracepointFormat> wanted) {
    return formats.stream()
        .filter(wanted)
        .map(format -> format.category() + ":" + format.event())
        .toList();
  }

  private static String some(List<String> names) {
    int rest = names.size() - NAMED;
    return rest > 1
        ? String.join(", ", names.subList(0, NAMED)) + " and " + rest + " more"
        : String.join(", ", names);
  }
}
