package dev.ply.analysis.site;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.BpftraceName;
import dev.ply.type.Dialect;
import dev.ply.type.Encoding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replaces {@code probe} and {@code func} by their names where they are compared, {@code probe ==
 * "kprobe:vfs_read"}, or an argument of a string function, {@code strcontains(probe, "read")}: the
 * clause needs a program for each probe site then, in which the name is a constant.
 */
public final class NamedProbe extends Rewriter {
  private final AttachPoint point;
  private final Dialect dialect;
  private boolean isFound;

  private NamedProbe(AttachPoint point, Dialect dialect) {
    this.point = point;
    this.dialect = dialect;
  }

  /** Returns whether a clause uses the name of its probe or function as a string. */
  public static boolean isIn(Clause clause) {
    NamedProbe rewriter = new NamedProbe(clause.point(), Dialect.PLY);
    Script unused = rewriter.rewrite(new Script(List.of(clause)));
    return rewriter.isFound;
  }

  /** Returns a clause for one of its probe sites, named as the dialect does. */
  public static Clause at(AttachPoint site, Clause clause, Dialect dialect) {
    return new NamedProbe(site, dialect).rewrite(new Script(List.of(clause))).clauses().get(0);
  }

  @Override
  public Expr visit(Expr.Call node) {
    List<Expr> arguments = new ArrayList<>(node.arguments());
    List<Parameter> parameters = Builtin.of(node).signature().parameters();
    for (int i = 0; i < Math.min(arguments.size(), parameters.size()); i++) {
      Expr argument = arguments.get(i);
      if (parameters.get(i) == Parameter.STRING && isName(argument)) {
        isFound = true;
        arguments.set(i, new Expr.StringLiteral(name((Expr.Call) argument), argument.span()));
      }
    }
    return super.visit(
        arguments.equals(node.arguments())
            ? node
            : new Expr.Call(node.function(), arguments, node.span()));
  }

  private String name(Expr.Call call) {
    String site = dialect == Dialect.BPFTRACE ? BpftraceName.of(point) : point.definition();
    return isFunction(call) ? Encoding.ProbedFunction.name(site) : site;
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
    isFound = true;
    boolean isSame =
        Stream.of(point.definition(), BpftraceName.of(point))
            .map(
                whole -> isFunction((Expr.Call) name) ? Encoding.ProbedFunction.name(whole) : whole)
            .anyMatch(text.value()::equals);
    return new Expr.IntLiteral(isSame == (node.op() == BinaryOp.EQ) ? 1 : 0, node.span());
  }
}
