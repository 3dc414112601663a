package dev.ply.lang.bcc;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.StepOp;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.ParseResult;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.table.ArgdistTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Specifiers of argdist as a script.
 *
 * @param source the specifiers, one after the other, each from the start of a line
 * @param result the script, or errors
 * @param tables how its maps are shown, by name
 */
public record ArgdistScript(Source source, ParseResult result, Map<String, ArgdistTable> tables) {
  private static final SourceSpan NOWHERE = SourceSpan.NONE;

  /** The map that counts outputs. */
  private static final String OUTPUTS = "@outputs";

  public ArgdistScript {
    tables = Map.copyOf(tables);
  }

  /** A specifier and what it collects. */
  public record Request(Collect collect, String specifier) {}

  /** Translates specifiers; all errors are in the result. */
  public static ArgdistScript translate(List<Request> requests, ArgdistSettings settings) {
    Source source =
        new Source(
            "<specifier>", String.join("\n", requests.stream().map(Request::specifier).toList()));
    Diagnostics diagnostics = new Diagnostics();
    List<Specifier> specifiers = new ArrayList<>();
    List<Clause> clauses = new ArrayList<>();
    Map<String, ArgdistTable> tables = new LinkedHashMap<>();
    int start = 0;
    for (Request request : requests) {
      int end = start + request.specifier().length();
      try {
        Specifier specifier =
            SpecifierParser.parse(request.collect(), new Slice(source, start, end));
        SpecifierTranslator translator = new SpecifierTranslator(specifier, settings);
        String map = mapName(specifier.probe().function().text(), tables);
        clauses.add(translator.clause(map));
        specifiers.add(specifier);
        tables.put(map, translator.table());
      } catch (SpecifierException e) {
        e.report(diagnostics);
      }
      start = end + 1;
    }
    clauses.addAll(new Cycle(tables, settings).clauses());
    List<TypeDefinition> definitions = new ArrayList<>(settings.definitions());
    if (definitions.isEmpty()) {
      definitions.addAll(LibraryTypes.usedBy(specifiers.stream().map(Specifier::probe).toList()));
    }
    Configuration configuration = new Configuration(Map.of(Setting.PRINT_MAPS_ON_EXIT, "false"));
    Script script = new Script(configuration, clauses, List.of(), definitions, List.of());
    return new ArgdistScript(source, new ParseResult(script, diagnostics.list()), tables);
  }

  /** Returns the name of a function's map that is not in use. */
  private static String mapName(String function, Map<String, ArgdistTable> used) {
    String name = "@" + function.replaceAll("[^A-Za-z0-9_]+", "_");
    String free = name;
    for (int i = 2; used.containsKey(free) || free.equals(OUTPUTS); i++) {
      free = name + i;
    }
    return free;
  }

  /** The clauses that show the maps: after each interval, and when the trace is interrupted. */
  private record Cycle(Map<String, ArgdistTable> tables, ArgdistSettings settings) {
    List<Clause> clauses() {
      List<Statement> interval = new ArrayList<>(output());
      if (!settings.isCumulative()) {
        tables.keySet().forEach(map -> interval.add(call(EventBuiltins.CLEAR, map(map))));
      }
      List<Statement> end = output();
      settings
          .outputs()
          .ifPresent(
              most -> {
                Expr outputs = map(OUTPUTS);
                interval.add(
                    new Statement.Evaluate(
                        new Expr.Step(StepOp.POST_INCREMENT, outputs, NOWHERE), NOWHERE));
                interval.add(when(BinaryOp.GE, most, List.of(call(EventBuiltins.EXIT, number(0)))));
              });
      OptionalInt most = settings.outputs();
      // After the last output, nothing is left to show.
      List<Statement> last =
          most.isPresent() ? List.of(when(BinaryOp.LT, most.getAsInt(), end)) : end;
      return List.of(
          clause(new TimerProbe.Interval(Duration.ofSeconds(settings.seconds())), interval),
          clause(new TracerProbe.End(), last));
    }

    private static Statement when(BinaryOp op, int most, List<Statement> then) {
      return new Statement.If(
          new Expr.Binary(op, map(OUTPUTS), number(most), NOWHERE),
          new Statement.Block(then, NOWHERE),
          new Statement.Block(List.of(), NOWHERE),
          NOWHERE);
    }

    private List<Statement> output() {
      List<Statement> statements = new ArrayList<>();
      statements.add(call(ClockBuiltins.TIME, new Expr.StringLiteral("[%H:%M:%S]\n", NOWHERE)));
      tables.forEach(
          (map, table) -> {
            boolean isLimited = settings.top().isPresent() && table instanceof ArgdistTable.Counts;
            statements.add(
                isLimited
                    ? call(EventBuiltins.PRINT, map(map), number(settings.top().getAsInt()))
                    : call(EventBuiltins.PRINT, map(map)));
          });
      return statements;
    }

    private static Clause clause(AttachPoint point, List<Statement> statements) {
      return new Clause(
          point, NOWHERE, Optional.empty(), new Statement.Block(statements, NOWHERE), NOWHERE);
    }

    private static Expr map(String name) {
      return new Expr.MapRead(new MapRef(name, List.of(), NOWHERE), NOWHERE);
    }

    private static Expr number(long value) {
      return new Expr.IntLiteral(value, NOWHERE);
    }

    private static Statement call(Builtin function, Expr... arguments) {
      return new Statement.Evaluate(new Expr.Call(function, List.of(arguments), NOWHERE), NOWHERE);
    }
  }
}
