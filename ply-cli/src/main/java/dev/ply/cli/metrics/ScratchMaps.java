package dev.ply.cli.metrics;

import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.probe.TracerProbe;
import java.util.HashSet;
import java.util.Set;

/** Finds the maps that a script clears in END, so that they are not among its results. */
final class ScratchMaps extends Walker {
  private final Set<String> maps = new HashSet<>();

  private ScratchMaps() {}

  static Set<String> of(Script script) {
    ScratchMaps scratch = new ScratchMaps();
    for (Clause clause : script.clauses()) {
      if (clause.point() instanceof TracerProbe.End) {
        scratch.walk(clause.body());
      }
    }
    return scratch.maps;
  }

  @Override
  public Walker visit(Expr.Call node) {
    if (node.function() == EventBuiltins.CLEAR
        && node.arguments().size() == 1
        && node.arguments().get(0) instanceof Expr.MapRead read) {
      maps.add(read.map().name());
    }
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.Delete node) {
    if (node.target().keys().isEmpty()) {
      maps.add(node.target().name());
    }
    return super.visit(node);
  }
}
