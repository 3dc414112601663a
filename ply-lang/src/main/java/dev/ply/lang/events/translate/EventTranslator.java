package dev.ply.lang.events.translate;

import dev.ply.analysis.site.OldSystemCalls;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.EventLocation;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.Registers;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.result.TraceLine;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Translates definitions of events to a script that prints a line for each hit, as the kernel's
 * trace does, and counts the hits of each event in {@link #HITS}.
 */
public final class EventTranslator {
  /** The map of the hits of each event, by {@code GROUP/EVENT}. */
  public static final String HITS = "@hits";

  private static final String MICROS = "$us";

  private final EventSpace space;
  private final Target target;
  private final List<EventFilter> filters;

  /** The names of all events, {@code GROUP/EVENT}. */
  private final List<String> events;

  private final EventSyntax syntax;
  private final Diagnostics diagnostics = new Diagnostics();
  private final Problems problems = new Problems(diagnostics);

  private EventTranslator(
      EventSpace space,
      Target target,
      EventSyntax syntax,
      List<EventFilter> filters,
      List<String> events) {
    this.space = space;
    this.target = target;
    this.syntax = syntax;
    this.filters = filters;
    this.events = events;
  }

  /**
   * The script of definitions.
   *
   * @param script without the definitions that have errors
   * @param diagnostics all diagnostics, in source order
   */
  public record Result(Script script, List<Diagnostic> diagnostics) {
    public Result {
      diagnostics = List.copyOf(diagnostics);
    }
  }

  /**
   * Translates definitions.
   *
   * @param syntax what the kernel takes itself, which decides what {@code $argN} and {@code
   *     $retval} show
   */
  public static Result translate(
      List<EventDefinition> definitions,
      EventSpace space,
      Target target,
      EventSyntax syntax,
      List<EventFilter> filters) {
    EventTranslator translator =
        new EventTranslator(
            space,
            target,
            syntax,
            List.copyOf(filters),
            definitions.stream().map(one -> one.group() + "/" + one.event()).distinct().toList());
    List<Clause> clauses = new ArrayList<>();
    for (EventDefinition definition : definitions) {
      try {
        clauses.addAll(translator.clauses(definition));
      } catch (Reported e) {
        // The diagnostics have it.
      }
    }
    translator.checkFilters(definitions);
    Configuration quiet = new Configuration(Map.of(Setting.PRINT_MAPS_ON_EXIT, "false"));
    return new Result(new Script(clauses).withConfiguration(quiet), translator.diagnostics.list());
  }

  /**
   * Returns the event whose hits a clause counts, {@code GROUP/EVENT}; of entries of calls none.
   */
  public static Optional<String> event(Clause clause) {
    return clause.body().statements().stream()
        .filter(Statement.Aggregate.class::isInstance)
        .map(statement -> ((Statement.Aggregate) statement).target())
        .filter(counted -> counted.name().equals(HITS))
        .map(counted -> ((Expr.StringLiteral) counted.keys().get(0)).value())
        .findFirst();
  }

  private void checkFilters(List<EventDefinition> definitions) {
    for (EventFilter filter : filters) {
      if (definitions.stream().noneMatch(filter::isFor)) {
        problems.error(
            filter.eventSpan(),
            "event \"" + filter.event() + "\" is not defined",
            Problems.nearest(
                filter.event(),
                definitions.stream().map(EventDefinition::event),
                "write --filter EVENT:EXPRESSION"));
      }
    }
  }

  private List<Clause> clauses(EventDefinition event) throws Reported {
    Architecture architecture = target.architecture();
    EventSite site = new EventSite(event, target, problems);
    AttachPoint point = site.point();
    boolean isCall = OldSystemCalls.isSystemCall(point, target);
    if (isCall) {
      problems.note(
          event.locationSpan(),
          "this kernel has no function " + event.location().text() + ": this is an extension");
    }
    EntryValues entries = new EntryValues(event.event(), architecture, isCall);
    List<EventField> fields =
        new FetchTranslator(
                event, space, target, syntax, isCall, site.fileOffset(), entries, problems)
            .fields();
    Nodes nodes = new Nodes(event.span());
    List<Statement> print = List.of(time(nodes), printed(nodes, event, isCall, fields));
    List<Statement> body = new ArrayList<>();
    body.add(nodes.count(HITS, nodes.text(event.group() + "/" + event.event())));
    Optional<Expr> condition = condition(nodes, event, isCall, fields);
    if (condition.isPresent()) {
      body.add(nodes.onlyIf(condition.get(), print));
    } else {
      body.addAll(print);
    }
    body.addAll(entries.deletes(nodes));
    List<Clause> clauses = new ArrayList<>();
    if (!entries.isEmpty()) {
      clauses.add(clause(event, site.entry(), entries.stores(nodes)));
    }
    Clause hits = clause(event, point, body);
    clauses.add(
        event.condition().isEmpty()
            ? hits
            : new Clause(
                point,
                event.locationSpan(),
                Optional.of(
                    FilterParser.condition(
                        event.condition().get(),
                        nodes,
                        new RecordFields(event, target, problems),
                        problems)),
                hits.body(),
                event.span()));
    return clauses;
  }

  private static Clause clause(EventDefinition event, AttachPoint point, List<Statement> body) {
    return new Clause(
        point,
        event.locationSpan(),
        Optional.empty(),
        new Statement.Block(body, event.span()),
        event.span());
  }

  /** Returns how many events are defined before one. */
  private int index(EventDefinition event) {
    return events.indexOf(event.group() + "/" + event.event());
  }

  private Optional<Expr> condition(
      Nodes nodes, EventDefinition event, boolean isCall, List<EventField> fields) throws Reported {
    Optional<Expr> all = Optional.empty();
    boolean hasPlace = !event.location().isTracepoint() && !isCall;
    FilterFields output =
        new OutputFields(
            fields,
            hasPlace ? OutputFields.places(nodes, event, space, target.architecture()) : Map.of(),
            target,
            index(event),
            problems);
    for (EventFilter filter : filters) {
      if (filter.isFor(event) && !filter.isOff()) {
        Expr one = FilterParser.condition(filter, nodes, output, problems);
        all = Optional.of(all.isEmpty() ? one : nodes.binary(BinaryOp.LOGICAL_AND, all.get(), one));
      }
    }
    return all;
  }

  /** The kernel rounds to microseconds. */
  private static Statement time(Nodes nodes) {
    Expr nanos = nodes.cast("uint64", 0, nodes.call(ClockBuiltins.TIME));
    return nodes.assign(
        MICROS, nodes.binary(BinaryOp.DIV, nodes.plus(nanos, 500), nodes.number(1000)));
  }

  private Statement printed(
      Nodes nodes, EventDefinition event, boolean isCall, List<EventField> fields) {
    List<Expr> values = new ArrayList<>();
    values.add(nodes.call(ThreadBuiltins.COMM));
    values.add(nodes.call(ThreadBuiltins.KPID));
    values.add(nodes.call(ThreadBuiltins.CPU));
    Expr million = nodes.number(1_000_000);
    values.add(nodes.binary(BinaryOp.DIV, nodes.variable(MICROS), million));
    values.add(nodes.binary(BinaryOp.MOD, nodes.variable(MICROS), million));
    TraceLine.Place at = new TraceLine.Place.Named(event.location().text());
    Optional<TraceLine.Place> function = Optional.empty();
    if (!isCall && !event.location().isTracepoint()) {
      boolean isUser = space == EventSpace.USER;
      Expr counter = nodes.register(Registers.programCounter(target.architecture()));
      at = isUser ? new TraceLine.Place.Address() : new TraceLine.Place.Symbol();
      values.add(isUser || event.isReturn() ? counter : nodes.probed(target.architecture()));
      if (event.isReturn() && isUser) {
        function = Optional.of(new TraceLine.Place.Address());
        values.add(nodes.call(ContextBuiltins.FUNC_IP));
      } else if (event.isReturn()) {
        function = Optional.of(new TraceLine.Place.Named(function(event)));
      }
    }
    List<TraceLine.Field> shown = new ArrayList<>();
    for (EventField field : fields) {
      shown.add(
          new TraceLine.Field(field.name(), field.style(), field.values().size(), field.isArray()));
      values.addAll(field.values());
    }
    return nodes.trace(
        new TraceLine(event.group() + "/" + event.event(), at, function, shown), values);
  }

  /** Returns the function of a return as the kernel names it: the first of its names. */
  private String function(EventDefinition event) {
    OptionalLong address =
        event.location() instanceof EventLocation.Symbol symbol
            ? target.symbols().named(symbol.function()).stream()
                .mapToLong(KernelSymbols.Extent::address)
                .findFirst()
            : OptionalLong.of(((EventLocation.Address) event.location()).value());
    return address.stream()
        .mapToObj(one -> target.symbols().rangeAt(one))
        .flatMap(Optional::stream)
        .map(KernelSymbols.Range::name)
        .findFirst()
        .orElseGet(
            () ->
                event.location() instanceof EventLocation.Symbol symbol
                    ? symbol.function()
                    : event.location().text());
  }
}
