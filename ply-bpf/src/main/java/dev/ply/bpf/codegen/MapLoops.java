package dev.ply.bpf.codegen;

import dev.ply.ir.Statement;

/** Finds loops over maps. */
final class MapLoops {
  private MapLoops() {}

  /** Returns whether a loop over a map is in a statement. */
  static boolean isIn(Statement statement) {
    if (statement instanceof Statement.Block block) {
      return block.statements().stream().anyMatch(MapLoops::isIn);
    } else if (statement instanceof Statement.If node) {
      return isIn(node.then()) || isIn(node.otherwise());
    } else if (statement instanceof Statement.While node) {
      return isIn(node.body());
    } else if (statement instanceof Statement.ForRange node) {
      return isIn(node.body());
    } else if (statement instanceof Statement.Unroll node) {
      return isIn(node.body());
    }
    return statement instanceof Statement.ForEach;
  }
}
