package dev.ply.bpf.codegen;

import dev.ply.ir.Rewriter;
import dev.ply.ir.Statement;

/** Finds loops over maps. */
final class MapLoops extends Rewriter {
  private boolean isFound;

  private MapLoops() {}

  /** Returns whether a loop over a map is in a statement. */
  static boolean isIn(Statement statement) {
    MapLoops finder = new MapLoops();
    Statement unused = finder.rewrite(statement);
    return finder.isFound;
  }

  @Override
  public Statement visit(Statement.ForEach node) {
    isFound = true;
    return node;
  }
}
