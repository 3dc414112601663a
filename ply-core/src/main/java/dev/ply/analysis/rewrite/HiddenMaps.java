package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.probe.TracerProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps maps from being shown when the trace ends, as {@code END { clear(@since); }} does.
 *
 * @param maps their names; those that the script does not fill are ignored
 */
public record HiddenMaps(List<String> maps) {
  /** Keeps a copy. */
  public HiddenMaps {
    maps = List.copyOf(maps);
  }

  /** {@return what hides these maps} */
  public static HiddenMaps of(List<String> maps) {
    return new HiddenMaps(maps);
  }

  /** {@return the script with the maps hidden} */
  public Script apply(Script script) {
    Set<String> filled = PossibleClauses.filled(script);
    List<Statement> statements =
        maps.stream().filter(filled::contains).map(HiddenMaps::clear).toList();
    if (statements.isEmpty()) {
      return script;
    }
    List<Clause> clauses = new ArrayList<>(script.clauses());
    clauses.add(
        new Clause(
            new TracerProbe.End(),
            SourceSpan.NONE,
            Optional.empty(),
            new Statement.Block(statements, SourceSpan.NONE),
            SourceSpan.NONE));
    return script.withClauses(clauses);
  }

  private static Statement clear(String map) {
    SourceSpan nowhere = SourceSpan.NONE;
    Expr whole = new Expr.MapRead(new MapRef(map, List.of(), nowhere), nowhere);
    return new Statement.Evaluate(
        new Expr.Call(EventBuiltins.CLEAR, List.of(whole), nowhere), nowhere);
  }
}
