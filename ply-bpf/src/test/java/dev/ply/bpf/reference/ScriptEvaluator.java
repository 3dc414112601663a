package dev.ply.bpf.reference;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.target.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The meaning of the language: runs a script by walking its tree. Slow and plain; whatever compiled
 * code does differently is wrong, or this is.
 *
 * <p>It shares with the compiler what decides about a script before it runs, the analyser's types,
 * and what shows results, the formats of {@code dev.ply.result}; nothing in between. Maps and
 * buffers are never full. Not thread-safe.
 */
public final class ScriptEvaluator {
  private final AnalyzedScript script;
  private final DatumFormat format;
  private final Map<String, MapState> maps = new LinkedHashMap<>();
  private final EventQueue events = new EventQueue();
  private final StringBuilder printed = new StringBuilder();

  /**
   * Prepares a script for a target.
   *
   * @throws dev.ply.diagnostic.CompilationException if the script is wrong
   */
  public ScriptEvaluator(Target target, Script script) {
    this.script = new Analyzer(target).analyze(script);
    this.format = new DatumFormat(target);
    for (MapSymbol symbol : this.script.maps()) {
      maps.put(symbol.name(), new MapState(symbol));
    }
  }

  /** Runs BEGIN. If that ends the trace, nothing else but END is to run. */
  public void begin(Moment moment) {
    happen(List.of(new TracerProbe.Begin()), moment);
  }

  /**
   * Runs the clauses on places that are passed at one moment, those of each in the script's order,
   * then handles what they sent.
   *
   * @param points no patterns
   */
  public void happen(List<? extends AttachPoint> points, Moment moment) {
    for (AttachPoint point : points) {
      for (AnalyzedProgram program : script.programs()) {
        if (program.sites().stream().anyMatch(site -> site.point().equals(point))) {
          program.clauses().forEach(clause -> run(clause, moment));
        }
      }
    }
    events.handleAll();
  }

  /** Runs END: even where the trace has ended itself, what that sends is handled. */
  public void end(Moment moment) {
    events.startLast();
    happen(List.of(new TracerProbe.End()), moment);
  }

  private void run(AnalyzedClause clause, Moment moment) {
    VariableValues variables = new VariableValues();
    ExpressionEvaluator expressions =
        new ExpressionEvaluator(
            script.target(), script.configuration().dialect(), clause, moment, maps, variables);
    new ClauseEvaluator(clause, expressions, maps, variables, events, format, printed).run();
  }

  /** Returns the places that the script's probes are on, in the order their clauses run. */
  public List<AttachPoint> points() {
    return script.programs().stream()
        .flatMap(program -> program.sites().stream())
        .map(site -> site.point())
        .toList();
  }

  /** Returns the status with which the script ended the trace, empty if it did not. */
  public OptionalInt exitStatus() {
    return events.exitStatus();
  }

  /** Returns all that was printed. */
  public String printed() {
    return printed.toString();
  }

  /** Returns what the maps hold, in the order they first appear in the script. */
  public List<NamedTable> tables() {
    return maps.values().stream()
        .map(map -> new NamedTable(map.symbol().schema(), map.table()))
        .toList();
  }
}
