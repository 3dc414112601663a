package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.result.StackMode;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** Types stack traces: how they print and how deep they go is written out, mode first. */
final class TypeStack {
  private final TypeExpression expressions;
  private final Diagnostics diagnostics;

  TypeStack(TypeExpression expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  Optional<Type> apply(Expr.Call node) {
    List<Expr> arguments = node.arguments();
    arguments.forEach(expressions::apply);
    int modes = !arguments.isEmpty() && arguments.get(0) instanceof Expr.StringLiteral ? 1 : 0;
    boolean right = modes == 0 || isMode((Expr.StringLiteral) arguments.get(0));
    if (arguments.size() > modes) {
      right &= isDepth(node, arguments.get(modes));
    }
    if (arguments.size() > modes + 1) {
      wrong(node, arguments.get(modes + 1));
      right = false;
    }
    return right ? Optional.of(type(node.function())) : Optional.empty();
  }

  private static Type type(Intrinsic function) {
    return function == Intrinsic.USTACK
        ? IntType.U64.printedAs(IntFormat.USER_STACK)
        : IntType.U32.printedAs(IntFormat.STACK);
  }

  private boolean isMode(Expr.StringLiteral name) {
    boolean known = StackMode.named(name.value()).isPresent();
    if (!known) {
      diagnostics.error(
          TYPE_MISMATCH,
          name.span(),
          "a stack trace cannot be printed as \"" + name.value() + "\"",
          "it can be as ply, bpftrace, perf, raw");
    }
    return known;
  }

  private boolean isDepth(Expr.Call node, Expr depth) {
    if (!(depth instanceof Expr.IntLiteral literal)) {
      wrong(node, depth);
      return false;
    }
    if (literal.value() < 1 || literal.value() > StackShape.DEEPEST) {
      diagnostics.error(
          OUT_OF_RANGE,
          depth.span(),
          "a stack trace of "
              + Long.toUnsignedString(literal.value())
              + " functions cannot be taken",
          "1 to " + StackShape.DEEPEST + " can");
      return false;
    }
    return true;
  }

  private void wrong(Expr.Call node, Expr argument) {
    String name = node.function().canonicalName();
    diagnostics.error(
        TYPE_MISMATCH,
        argument.span(),
        "this does not say how a stack trace is to be taken",
        "write " + name + "(5) for five functions, or " + name + "(perf, 5)");
  }
}
