package dev.ply.analysis;

import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks maps whose keys have stacks of functions. Rows merge when such a map is read; programs see
 * exact stacks, so all they can do is aggregate.
 */
final class CheckMergedMaps extends Walker {
  private final Map<String, MapSymbol> merged;
  private final Diagnostics diagnostics;

  private CheckMergedMaps(Map<String, MapSymbol> merged, Diagnostics diagnostics) {
    this.merged = merged;
    this.diagnostics = diagnostics;
  }

  /** Reports plain values in such maps, and what concerns single entries. */
  static void apply(
      List<MapSymbol> maps, Collection<AnalyzedClause> clauses, Diagnostics diagnostics) {
    Map<String, MapSymbol> merged = new HashMap<>();
    maps.stream().filter(MapSymbol::mergesFunctions).forEach(map -> merged.put(map.name(), map));
    CheckMergedMaps check = new CheckMergedMaps(merged, diagnostics);
    clauses.forEach(clause -> check.walk(clause.clause()));
  }

  @Override
  public Walker visit(Statement.Store node) {
    plain(node.target(), node.span());
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.Update node) {
    plain(node.target(), node.span());
    return super.visit(node);
  }

  @Override
  public Walker visit(Expr.Step node) {
    if (node.target() instanceof Expr.MapRead read) {
      plain(read.map(), node.span());
      read.map().keys().forEach(this::walk);
      return this;
    }
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.Delete node) {
    entry(node.target(), node.span());
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.ForEach node) {
    entry(node.map(), node.map().span());
    return super.visit(node);
  }

  @Override
  public Walker visit(Expr.Call node) {
    if (node.function() == MapBuiltins.LEN && node.arguments().get(0) instanceof Expr.MapRead map) {
      entry(map.map(), node.span());
    }
    return super.visit(node);
  }

  @Override
  public Walker visit(Expr.MapRead node) {
    if (!node.map().keys().isEmpty()) {
      entry(node.map(), node.span());
    }
    return super.visit(node);
  }

  private void plain(MapRef map, SourceSpan span) {
    MapSymbol symbol = merged.get(map.name());
    if (symbol != null && symbol.content() instanceof MapContent.Plain) {
      diagnostics.error(
          DiagnosticCode.TYPE_MISMATCH,
          span,
          "rows with the same functions are merged, and plain values cannot be",
          "aggregate, as with count(), sum(…) or max(…); or use stacks without \"functions\"");
    }
  }

  private void entry(MapRef map, SourceSpan span) {
    if (merged.containsKey(map.name())) {
      diagnostics.error(
          DiagnosticCode.TYPE_MISMATCH,
          span,
          "rows of \"" + map.name() + "\" merge when they are printed: programs do not see them",
          "print(" + map.name() + ", 5) shows the top rows; or use stacks without \"functions\"");
    }
  }
}
