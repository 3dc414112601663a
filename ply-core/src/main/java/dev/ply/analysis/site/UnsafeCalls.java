package dev.ply.analysis.site;

import dev.ply.builtin.Builtin;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.Walker;

/** Reports calls of functions that change the system. */
public final class UnsafeCalls extends Walker {
  private final Diagnostics diagnostics;

  private UnsafeCalls(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  public static void report(Script script, Diagnostics diagnostics) {
    new UnsafeCalls(diagnostics).walk(script);
  }

  @Override
  public Walker visit(Expr.Call node) {
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
