package dev.ply.bpf.codegen.loop;

import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.function.Supplier;

/** Counts how often a statement runs what is in its loops, nested ones multiplied. */
final class NestedRounds extends Walker {
  private long current = 1;
  private long most = 1;

  private NestedRounds() {}

  /** Returns the maximum number of rounds, {@link LoopCompiler#UNKNOWN} if one is unknown. */
  static long of(Statement statement) {
    NestedRounds rounds = new NestedRounds();
    rounds.walk(statement);
    return rounds.most;
  }

  @Override
  public Walker visit(Statement.While node) {
    return within(LoopCompiler.UNKNOWN, () -> super.visit(node));
  }

  @Override
  public Walker visit(Statement.ForRange node) {
    boolean isKnown =
        node.from() instanceof Expr.IntLiteral && node.to() instanceof Expr.IntLiteral;
    long rounds =
        isKnown
            ? LoopCompiler.rounds(
                ((Expr.IntLiteral) node.from()).value(), ((Expr.IntLiteral) node.to()).value())
            : LoopCompiler.UNKNOWN;
    return within(rounds, () -> super.visit(node));
  }

  @Override
  public Walker visit(Statement.Unroll node) {
    long rounds =
        node.count() instanceof Expr.IntLiteral literal ? literal.value() : LoopCompiler.UNKNOWN;
    return within(rounds, () -> super.visit(node));
  }

  private Walker within(long rounds, Supplier<Walker> loop) {
    long outer = current;
    current = Math.min(LoopCompiler.UNKNOWN, outer * Math.max(1, rounds));
    most = Math.max(most, current);
    Walker same = loop.get();
    current = outer;
    return same;
  }
}
