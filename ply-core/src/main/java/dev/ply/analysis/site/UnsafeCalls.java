package dev.ply.analysis.site;

import dev.ply.builtin.Builtin;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;

/** Reports calls of functions that change the system. */
public final class UnsafeCalls extends Rewriter {
  private final Diagnostics diagnostics;

  private UnsafeCalls(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  public static void report(Script script, Diagnostics diagnostics) {
    Script unused = new UnsafeCalls(diagnostics).rewrite(script);
  }

  @Override
  public Expr visit(Expr.Call node) {
    if (Builtin.of(node).isUnsafe()) {
      diagnostics.error(
          DiagnosticCode.UNSAFE,
          node.span(),
          "\"" + node.function() + "\" changes the system, which is not allowed",
          "--unsafe allows it; in Java, TraceOptions.unsafe()");
    }
    return super.visit(node);
  }
}
