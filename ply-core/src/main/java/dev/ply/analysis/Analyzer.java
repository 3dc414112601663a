package dev.ply.analysis;

import dev.ply.Safety;
import dev.ply.analysis.rewrite.ApplyStackMode;
import dev.ply.analysis.rewrite.ChosenBranches;
import dev.ply.analysis.rewrite.ContextAliases;
import dev.ply.analysis.rewrite.ExpandBuiltins;
import dev.ply.analysis.rewrite.MeasuredStacks;
import dev.ply.analysis.rewrite.NamedArguments;
import dev.ply.analysis.rewrite.OffCpuClauses;
import dev.ply.analysis.rewrite.PairCalls;
import dev.ply.analysis.rewrite.SplitByLayout;
import dev.ply.analysis.site.ExpandKinds;
import dev.ply.analysis.site.ExpandPoint;
import dev.ply.analysis.site.MissingSites;
import dev.ply.analysis.site.MovedLibrary;
import dev.ply.analysis.site.NamedProbe;
import dev.ply.analysis.site.OldSystemCalls;
import dev.ply.analysis.site.ProbeSite;
import dev.ply.analysis.site.UnsafeCalls;
import dev.ply.analysis.site.Variant;
import dev.ply.analysis.struct.DefinedTypes;
import dev.ply.analysis.typing.CheckClause;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.analysis.typing.MapSymbols;
import dev.ply.analysis.typing.OutlivedBlocks;
import dev.ply.analysis.typing.TypeVariable;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.RenamedVariable;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Substitution;
import dev.ply.ir.declaration.Configuration;
import dev.ply.probe.TracerProbe;
import dev.ply.target.Target;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Resolves and types a script on a target, or reports all errors. Stateless and thread-safe. */
public final class Analyzer {
  private final Target target;
  private final Safety safety;

  /** Creates an analyzer for a target; functions that change the system are errors. */
  public Analyzer(Target target) {
    this(target, Safety.SAFE);
  }

  /** Creates an analyzer for a target. */
  public Analyzer(Target target, Safety safety) {
    this.target = target;
    this.safety = safety;
  }

  /**
   * Analyses a script.
   *
   * @throws CompilationException with all errors, if there are any
   */
  public AnalyzedScript analyze(Script script) {
    return analyze(script, List.of());
  }

  /**
   * Analyses a script that may contain unparsed input.
   *
   * @param known the diagnostics of parsing
   * @throws CompilationException with the errors of both stages, if there are any
   */
  public AnalyzedScript analyze(Script parsed, List<Diagnostic> known) {
    Diagnostics diagnostics = new Diagnostics();
    Script named = MovedLibrary.apply(ContextAliases.apply(parsed), target, diagnostics);
    Script written = NamedArguments.apply(named, target, diagnostics);
    if (!written.definitions().isEmpty()) {
      Target defined = DefinedTypes.add(written.definitions(), target, diagnostics);
      return new Analyzer(defined, safety).analyze(written, known, diagnostics);
    }
    return analyze(written, known, diagnostics);
  }

  private AnalyzedScript analyze(Script parsed, List<Diagnostic> known, Diagnostics diagnostics) {
    Script scoped = OutlivedBlocks.apply(parsed, diagnostics);
    Script written = ExpandKinds.apply(scoped, target, diagnostics);
    Script measured = MeasuredStacks.apply(written);
    Script switched = OffCpuClauses.apply(measured, target, diagnostics);
    Script paired = PairCalls.apply(ApplyStackMode.apply(switched));
    Script script = ExpandBuiltins.apply(OldSystemCalls.apply(paired, target, diagnostics));
    script.clauses().forEach(clause -> CheckClock.apply(clause, diagnostics));
    if (safety == Safety.SAFE) {
      UnsafeCalls.report(written, diagnostics);
    }
    List<List<Variant>> variants = chosen(script, variants(script, diagnostics));
    MapSymbols symbols = inferMaps(variants, script.configuration());
    CheckDeclaration.apply(script.declarations(), symbols, diagnostics);
    Map<String, ProbeSite> sites = new LinkedHashMap<>();
    Map<String, List<Integer>> bySite = new LinkedHashMap<>();
    List<AnalyzedClause> checked = new ArrayList<>();
    Set<Place> expansionFaults = Place.of(diagnostics.list());
    for (List<Variant> ofOneClause : variants) {
      Set<Place> told = new HashSet<>(expansionFaults);
      for (Variant variant : ofOneClause) {
        int number = checked.size();
        checked.add(check(variant, symbols, told, diagnostics));
        for (ProbeSite site : variant.sites()) {
          String place = site.point().identity();
          sites.merge(place, site, ProbeSite::or);
          bySite.computeIfAbsent(place, unused -> new ArrayList<>(1)).add(number);
        }
      }
    }
    checkUncalled(written, variants, diagnostics);
    List<MapSymbol> maps = symbols.maps();
    if (maps.stream().anyMatch(MapSymbol::mergesFunctions)) {
      CheckMergedMaps.apply(maps, checked, diagnostics);
    }
    HiddenAddressNote.apply(checked, target, diagnostics);
    TooLongLiterals.apply(checked, diagnostics);
    List<Diagnostic> all = new ArrayList<>(known);
    // A clause on a return and the one on its entry can have the same error.
    diagnostics.list().stream().distinct().forEach(one -> all.add(explained(one, script)));
    if (Diagnostics.hasErrors(all)) {
      List<Diagnostic> told = withoutConsequences(all);
      throw new CompilationException(known.isEmpty() ? told : Diagnostics.onePerPlace(told));
    }
    List<AnalyzedProgram> programs = programs(sites, bySite, checked);
    return new AnalyzedScript(
        target,
        programs,
        SamplingPeriods.apply(MapUnits.apply(symbols.maps(), programs, target), programs),
        script.configuration(),
        all);
  }

  /** Leaves out the errors that mostly follow from others, if there are any others. */
  private static List<Diagnostic> withoutConsequences(List<Diagnostic> all) {
    List<Diagnostic> others =
        all.stream().filter(one -> one.code() != DiagnosticCode.CIRCULAR_TYPE).toList();
    return Diagnostics.hasErrors(others) ? others : all;
  }

  /**
   * Names variables as the script does, and adds notes with the values of the names substituted
   * within the diagnostic's span.
   */
  private static Diagnostic explained(Diagnostic diagnostic, Script script) {
    String message = diagnostic.message();
    List<String> hints = new ArrayList<>(diagnostic.hints());
    for (RenamedVariable one : script.renamed()) {
      message = one.in(message);
      hints.replaceAll(one::in);
    }
    for (Substitution one : script.substitutions()) {
      if (diagnostic.span().contains(one.span())) {
        hints.add(one.name() + " is " + one.value());
      }
    }
    return new Diagnostic(
        diagnostic.severity(), diagnostic.code(), diagnostic.span(), message, hints);
  }

  /**
   * Probe sites with the same clauses share a program.
   *
   * @param bySite for each site the indices of its clauses, which are faster to compare
   */
  private static List<AnalyzedProgram> programs(
      Map<String, ProbeSite> sites,
      Map<String, List<Integer>> bySite,
      List<AnalyzedClause> clauses) {
    Map<List<Integer>, List<ProbeSite>> byClauses = new LinkedHashMap<>();
    bySite.forEach(
        (place, numbers) ->
            byClauses
                .computeIfAbsent(numbers, unused -> new ArrayList<>())
                .add(Objects.requireNonNull(sites.get(place))));
    List<AnalyzedProgram> programs = new ArrayList<>();
    byClauses.forEach(
        (numbers, places) ->
            programs.add(new AnalyzedProgram(places, numbers.stream().map(clauses::get).toList())));
    return programs;
  }

  /** Returns the variants of each body; the clauses of a probe list share one body. */
  private List<List<Variant>> variants(Script script, Diagnostics diagnostics) {
    Diagnostics found = new Diagnostics();
    ExpandPoint expand = new ExpandPoint(target, script.configuration(), safety, found);
    MissingSites missing = new MissingSites(script.configuration(), diagnostics);
    SplitByLayout split = new SplitByLayout(target, diagnostics);
    Dialect dialect = script.configuration().dialect();
    List<List<Variant>> variants = new ArrayList<>();
    List<Clause> clauses = script.clauses();
    int next;
    for (int i = 0; i < clauses.size(); i = next) {
      Clause first = clauses.get(i);
      List<ProbeSite> sites = new ArrayList<>();
      next = i;
      do {
        int known = found.count();
        Clause clause = clauses.get(next++);
        List<ProbeSite> own = expand.apply(clause);
        sites.addAll(own);
        missing.add(clause, !own.isEmpty(), found.list().subList(known, found.count()));
      } while (next < clauses.size() && isAlike(first, clauses.get(next)));
      if (NamedProbe.isIn(first) && !sites.isEmpty()) {
        variants.add(
            sites.stream()
                .flatMap(
                    site ->
                        split
                            .apply(NamedProbe.at(site.point(), first, dialect), List.of(site))
                            .stream())
                .toList());
      } else {
        variants.add(split.apply(NamedProbe.at(first.point(), first, dialect), sites));
      }
    }
    missing.endList();
    requireProbes(script, variants, diagnostics);
    return variants;
  }

  /** Leaves out branches for other types, until none are left: the types depend on what remains. */
  private List<List<Variant>> chosen(Script script, List<List<Variant>> variants) {
    if (!ChosenBranches.concerns(script)) {
      return variants;
    }
    List<List<Variant>> chosen = variants;
    List<List<Variant>> before;
    do {
      before = chosen;
      MapSymbols symbols = inferMaps(before, script.configuration());
      chosen =
          before.stream()
              .map(ofOneClause -> ofOneClause.stream().map(one -> chosen(one, symbols)).toList())
              .toList();
    } while (!chosen.equals(before));
    return chosen;
  }

  private Variant chosen(Variant variant, MapSymbols symbols) {
    IdentityHashMap<Expr, Type> types = new IdentityHashMap<>();
    walk(variant, symbols, types, new Diagnostics()).completeDeclarations();
    return new Variant(
        ChosenBranches.apply(variant.clause(), types), variant.sites(), variant.tracepoint());
  }

  /** Without errors, a filter or missing sites can leave nothing. */
  private static void requireProbes(
      Script script, List<List<Variant>> variants, Diagnostics diagnostics) {
    if (diagnostics.hasErrors()
        || script.clauses().isEmpty()
        || !variants.stream()
            .flatMap(List::stream)
            .allMatch(variant -> variant.sites().isEmpty())) {
      return;
    }
    diagnostics.error(
        DiagnosticCode.UNKNOWN_FUNCTION,
        script.clauses().get(0).pointSpan(),
        "No probes to attach",
        script
            .configuration()
            .filter()
            .map(names -> "no probe's name has a match for \"" + names.pattern() + "\"")
            .orElse("all are missing: see the notes"));
  }

  private static boolean isAlike(Clause a, Clause b) {
    return a.span().equals(b.span())
        && a.body().equals(b.body())
        && a.predicate().equals(b.predicate())
        && a.point().getClass() == b.point().getClass();
  }

  /** An error at one position is reported for the first variant only. */
  private AnalyzedClause check(
      Variant variant, MapSymbols symbols, Set<Place> told, Diagnostics diagnostics) {
    Diagnostics found = new Diagnostics();
    IdentityHashMap<Expr, Type> types = new IdentityHashMap<>();
    TypeVariable variables = walk(variant, symbols, types, found);
    variables.completeDeclarations();
    for (Diagnostic diagnostic : found.list()) {
      if (!told.contains(Place.of(diagnostic))) {
        diagnostics.add(diagnostic);
      }
    }
    told.addAll(Place.of(found.list()));
    return new AnalyzedClause(variant.clause(), variant.tracepoint(), types, variables);
  }

  /**
   * Reports the errors of functions that nothing calls. Which probes might call them is unknown, so
   * any built-in is available; what they store in maps is not known to the others.
   */
  private void checkUncalled(
      Script written, List<List<Variant>> variants, Diagnostics diagnostics) {
    if (written.uncalled().isEmpty()) {
      return;
    }
    List<Clause> bodies = new ArrayList<>();
    for (Statement.Block body : written.uncalled()) {
      SourceSpan span = body.span();
      bodies.add(new Clause(new TracerProbe.Begin(), span, Optional.empty(), body, span));
    }
    Script paired = PairCalls.apply(ApplyStackMode.apply(written.withClauses(bodies)));
    Script functions = MeasuredStacks.apply(ExpandBuiltins.apply(paired));
    List<List<Variant>> all = new ArrayList<>(variants);
    for (Clause clause : functions.clauses()) {
      all.add(List.of(new Variant(clause, List.of(), Optional.empty())));
    }
    MapSymbols symbols = inferMaps(all, written.configuration());
    Diagnostics found = new Diagnostics();
    all.subList(variants.size(), all.size())
        .forEach(one -> check(one.get(0), symbols, new HashSet<>(), found));
    found.list().stream()
        .filter(one -> one.severity() == Severity.ERROR)
        .filter(one -> one.code() != DiagnosticCode.NOT_AVAILABLE_HERE)
        .forEach(diagnostics::add);
  }

  /** An error's kind and position, regardless of its message. */
  private record Place(DiagnosticCode code, SourceSpan span) {
    static Place of(Diagnostic diagnostic) {
      return new Place(diagnostic.code(), diagnostic.span());
    }

    static Set<Place> of(List<Diagnostic> diagnostics) {
      Set<Place> places = new HashSet<>();
      for (Diagnostic diagnostic : diagnostics) {
        places.add(of(diagnostic));
      }
      return places;
    }
  }

  private TypeVariable walk(
      Variant variant,
      MapSymbols symbols,
      IdentityHashMap<Expr, Type> types,
      Diagnostics diagnostics) {
    TypeVariable variables = new TypeVariable(symbols.variables(variant), diagnostics);
    new CheckClause(
            variant.clause(), variant.tracepoint(), target, symbols, types, variables, diagnostics)
        .apply();
    return variables;
  }

  /**
   * Infers the types of maps, independently of statement order: repeats the walk until no type
   * changes. Only the last walk reports errors. A map whose type depends on itself alone ({@code n
   * = n + 1}) gets the type of the rest of the expression.
   */
  private MapSymbols inferMaps(List<List<Variant>> variants, Configuration configuration) {
    MapSymbols symbols = new MapSymbols(configuration);
    learnAll(variants, symbols);
    if (!symbols.isComplete()) {
      symbols.startGuessing();
      learnAll(variants, symbols);
    }
    return symbols;
  }

  private void learnAll(List<List<Variant>> variants, MapSymbols symbols) {
    int known;
    do {
      known = symbols.knowledge();
      for (List<Variant> ofOneClause : variants) {
        for (Variant variant : ofOneClause) {
          walk(variant, symbols, new IdentityHashMap<>(), new Diagnostics());
        }
      }
    } while (symbols.knowledge() > known);
  }
}
