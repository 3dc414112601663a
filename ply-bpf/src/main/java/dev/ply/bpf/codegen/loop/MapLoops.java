package dev.ply.bpf.codegen.loop;

import dev.ply.ir.Statement;
import dev.ply.ir.Walker;

/** Finds loops over maps. */
final class MapLoops extends Walker {
  private boolean isFound;

  private MapLoops() {}

  /** Returns whether a loop over a map is in a statement. */
  static boolean isIn(Statement statement) {
    MapLoops finder = new MapLoops();
    finder.walk(statement);
    return finder.isFound;
  }

  @Override
  public Walker visit(Statement.ForEach node) {
    isFound = true;
    return this;
  }
}
