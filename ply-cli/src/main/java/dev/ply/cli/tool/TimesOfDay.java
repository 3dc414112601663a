package dev.ply.cli.tool;

import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.layout.Column;
import dev.ply.probe.TimerProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Adds times of day to what a tool shows: a column before those of its rows, and a line before what
 * each interval shows.
 */
final class TimesOfDay extends Rewriter {
  /** The column of times. */
  static final Column COLUMN =
      new Column("TIME", OptionalInt.of(8), OptionalInt.empty(), Column.Alignment.LEFT, true);

  private static final String FORMAT = "%H:%M:%S";

  private final int columns;

  /**
   * Creates a change of scripts.
   *
   * @param columns the number of a row's columns; 0 if it has none
   */
  TimesOfDay(int columns) {
    this.columns = columns;
  }

  /** Returns whether a tool shows no times by itself. */
  static boolean areMissing(ToolHeader header) {
    boolean hasRows = header.tables().stream().anyMatch(table -> table.map().isEmpty());
    boolean hasTimes =
        header.tables().stream()
            .flatMap(table -> table.columns().stream())
            .anyMatch(column -> column.column().heading().startsWith(COLUMN.heading()));
    return !hasTimes && (hasRows || header.interval().isPresent());
  }

  /** Returns a script that shows times. */
  Script of(Script script) {
    return script.withClauses(
        script.clauses().stream().map(clause -> timed(rewrite(clause))).toList());
  }

  private static Clause timed(Clause clause) {
    if (!(clause.point() instanceof TimerProbe.Interval)) {
      return clause;
    }
    List<Statement> statements = new ArrayList<>();
    Expr format = new Expr.StringLiteral(FORMAT + "\n", clause.span());
    Expr time = new Expr.Call(ClockBuiltins.TIME, List.of(format), clause.span());
    statements.add(new Statement.Evaluate(time, clause.span()));
    statements.addAll(clause.body().statements());
    return new Clause(
        clause.point(),
        clause.pointSpan(),
        clause.predicate(),
        new Statement.Block(statements, clause.body().span()),
        clause.span());
  }

  @Override
  public Expr visit(Expr.Call node) {
    if (columns == 0
        || node.function() != EventBuiltins.PRINT
        || node.arguments().size() != columns) {
      return super.visit(node);
    }
    List<Expr> values = new ArrayList<>();
    Expr format = new Expr.StringLiteral(FORMAT, node.span());
    Expr now = new Expr.Call(ClockBuiltins.WALLTIME, List.of(), node.span());
    values.add(new Expr.Call(ClockBuiltins.STRFTIME, List.of(format, now), node.span()));
    values.addAll(node.arguments());
    return new Expr.Call(node.function(), values, node.span());
  }
}
