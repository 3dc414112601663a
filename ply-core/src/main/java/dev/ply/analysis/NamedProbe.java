package dev.ply.analysis;

import dev.ply.builtin.ContextBuiltins;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.BpftraceName;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.type.Encoding;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides comparisons of {@code probe} and {@code func} with a text, {@code probe ==
 * "kprobe:vfs_read"}, for one probe site: the clause needs a program for each site then, and the
 * programs compare nothing.
 */
final class NamedProbe extends Rewriter {
  private final AttachPoint point;
  private boolean isCompared;

  private NamedProbe(AttachPoint point) {
    this.point = point;
  }

  /** Returns whether a clause compares the name of its probe or function with a text. */
  static boolean isIn(Clause clause) {
    NamedProbe rewriter = new NamedProbe(clause.point());
    Script unused = rewriter.rewrite(new Script(List.of(clause)));
    return rewriter.isCompared;
  }

  /** Returns a clause for one of its probe sites. */
  static Clause decided(Clause clause, AttachPoint site) {
    return new NamedProbe(site).rewrite(new Script(List.of(clause))).clauses().get(0);
  }

  @Override
  public Expr visit(Expr.Binary node) {
    boolean isEquality = node.op() == BinaryOp.EQ || node.op() == BinaryOp.NE;
    if (isEquality && node.right() instanceof Expr.StringLiteral name && isName(node.left())) {
      return decided(node, node.left(), name);
    }
    if (isEquality && node.left() instanceof Expr.StringLiteral name && isName(node.right())) {
      return decided(node, node.right(), name);
    }
    return super.visit(node);
  }

  private static boolean isName(Expr expr) {
    return expr instanceof Expr.Call call
        && (call.function() == ContextBuiltins.PROBE || isFunction(call));
  }

  /** Its argument is the number of the probe site; another would be the prefix of system calls. */
  private static boolean isFunction(Expr.Call call) {
    return call.function() == ContextBuiltins.FUNC && call.arguments().size() < 2;
  }

  private Expr decided(Expr.Binary node, Expr name, Expr.StringLiteral text) {
    isCompared = true;
    boolean isSame =
        Stream.of(point.definition(), BpftraceName.of(point))
            .map(
                whole -> isFunction((Expr.Call) name) ? Encoding.ProbedFunction.name(whole) : whole)
            .anyMatch(text.value()::equals);
    return new Expr.IntLiteral(isSame == (node.op() == BinaryOp.EQ) ? 1 : 0, node.span());
  }
}
