package dev.ply.analysis;

import dev.ply.analysis.typing.MapSymbol;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.declaration.Configuration;
import dev.ply.target.Target;
import java.util.List;

/**
 * A script without errors, with the results of analysis.
 *
 * @param programs in the order of the first definition that selects any of their sites
 * @param maps in order of first appearance
 * @param warnings warnings and notes for the author
 */
public record AnalyzedScript(
    Target target,
    List<AnalyzedProgram> programs,
    List<MapSymbol> maps,
    Configuration configuration,
    List<Diagnostic> warnings) {
  public AnalyzedScript {
    programs = List.copyOf(programs);
    maps = List.copyOf(maps);
    warnings = List.copyOf(warnings);
  }

  /** Returns the map of this name. */
  public MapSymbol map(String name) {
    for (MapSymbol map : maps) {
      if (map.name().equals(name)) {
        return map;
      }
    }
    throw new IllegalArgumentException("no map \"" + name + "\" in this script");
  }
}
