package dev.ply.analysis;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.target.Target;
import java.util.List;

/**
 * A script that is right, with what was found out about it.
 *
 * @param programs in the order of the script's first definition that means any of their places
 * @param maps in the order they first appear
 * @param warnings what its author should know, warnings and notes
 */
public record AnalyzedScript(
    Target target,
    List<AnalyzedProgram> programs,
    List<MapSymbol> maps,
    List<Diagnostic> warnings) {
  public AnalyzedScript {
    programs = List.copyOf(programs);
    maps = List.copyOf(maps);
    warnings = List.copyOf(warnings);
  }

  /** Returns the map of that name. */
  public MapSymbol map(String name) {
    for (MapSymbol map : maps) {
      if (map.name().equals(name)) {
        return map;
      }
    }
    throw new IllegalArgumentException("no map \"" + name + "\" in this script");
  }
}
