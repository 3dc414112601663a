package dev.ply.bpf.codegen;

import dev.ply.builtin.SymbolBuiltins;
import dev.ply.ir.Expr;

/** Generates code for kernel symbols. */
final class SymbolCode {
  private SymbolCode() {}

  static void addTo(BuiltinCodes codes) {
    codes.scalar(SymbolBuiltins.KADDR, Cost.REGISTER, SymbolCode::address);
    codes.scalar(
        SymbolBuiltins.KSYM,
        Cost.REGISTER,
        (clause, call) -> clause.expressions().scalar(call.arguments().get(0)));
  }

  private static ScalarCode address(ClauseCompiler clause, Expr.Call call) {
    Expr.StringLiteral name = (Expr.StringLiteral) call.arguments().get(0);
    return new ScalarCode.Constant(
        clause.script().target().symbols().addresses(name.value()).get(0));
  }
}
