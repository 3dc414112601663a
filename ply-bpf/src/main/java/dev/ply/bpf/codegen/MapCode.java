package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Label;
import dev.ply.builtin.MapBuiltins;
import dev.ply.ir.Expr;

/** Generates code for map functions. */
final class MapCode {
  /** A lookup in a hash map. */
  private static final Cost LOOKUP = Cost.MEMORY;

  private MapCode() {}

  static void addTo(BuiltinCodes codes) {
    codes.comparison(MapBuiltins.HAS_KEY, LOOKUP, MapCode::jumpIfPresent);
  }

  private static void jumpIfPresent(
      ClauseCompiler clause, Expr.Call call, boolean sense, Label target) {
    Expr.MapRead entry = (Expr.MapRead) call.arguments().get(0);
    clause.maps().jumpIfPresent(entry.map(), sense, target);
  }
}
