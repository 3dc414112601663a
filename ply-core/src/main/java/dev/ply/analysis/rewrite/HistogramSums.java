package dev.ply.analysis.rewrite;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import java.util.List;

/**
 * Keeps the exact sum of each distribution in a map beside it, as monitoring systems take it.
 * Clauses evaluate the value twice.
 */
public final class HistogramSums extends Rewriter {
  /** No script can name such a map. */
  private static final String PREFIX = ":sum:";

  private HistogramSums() {}

  /** {@return the script with sums} */
  public static Script apply(Script script) {
    return new HistogramSums().rewrite(script);
  }

  /** {@return whether a map has the sums of another} */
  public static boolean isSum(String map) {
    return map.startsWith(PREFIX);
  }

  /** {@return the name of the map with the sums of a map} */
  public static String nameOf(String map) {
    return PREFIX + map;
  }

  @Override
  public Statement visit(Statement.Aggregate node) {
    boolean isDistribution =
        node.aggregation().function() == AggregateFunctions.QUANTIZE
            || node.aggregation().function() == AggregateFunctions.LHIST;
    return isDistribution
        ? new Statement.Block(List.of(node, sum(node)), node.span())
        : super.visit(node);
  }

  private static Statement sum(Statement.Aggregate node) {
    Expr value = node.aggregation().arguments().get(0);
    return new Statement.Aggregate(
        sums(node.target()),
        new Aggregation(AggregateFunctions.SUM, List.of(value), node.aggregation().span()),
        node.span());
  }

  private static MapRef sums(MapRef map) {
    return new MapRef(nameOf(map.name()), map.keys(), map.span());
  }
}
