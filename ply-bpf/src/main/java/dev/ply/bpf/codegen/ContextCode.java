package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.BuiltinCode.Scalar;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.ProbeNumber;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.ir.Expr;
import dev.ply.target.Architecture;

/** Generates code that reads the program's context. */
final class ContextCode {
  private ContextCode() {}

  static void addTo(BuiltinCodes codes) {
    Scalar context = (clause, call) -> new ScalarCode.InRegister(clause.context());
    codes.scalar(ContextBuiltins.CTX, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.DATA, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.REGS, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.REG, Cost.REGISTER, ContextCode::register);
    codes.scalar(
        ContextBuiltins.RETVAL, Cost.REGISTER, (clause, call) -> clause.layout().returnValue());
    codes.scalar(
        ContextBuiltins.CALLER, Cost.REGISTER, (clause, call) -> clause.layout().programCounter());
    codes.scalar(
        ContextBuiltins.FUNC_IP,
        Cost.HELPER,
        (clause, call) ->
            new ScalarCode.InRegister(
                clause
                    .code()
                    .callForResult(Helper.GET_FUNC_IP, clause.code().value(clause.context()))));
    codes.scalar(ContextBuiltins.PROBE, Cost.HELPER, (clause, call) -> probe(clause));
  }

  private static ScalarCode register(ClauseCompiler clause, Expr.Call call) {
    Architecture architecture = clause.script().target().architecture();
    String name = ((Expr.StringLiteral) call.arguments().get(0)).value();
    int offset = architecture.register(name).flatMap(architecture::registerOffset).orElseThrow();
    return clause.expressions().word(offset);
  }

  /** Computes the number of the probe site. */
  private static ScalarCode probe(ClauseCompiler clause) {
    CodeBuilder code = clause.code();
    ProbeNumber number = clause.program().number();
    if (number instanceof ProbeNumber.Constant constant) {
      return new ScalarCode.Constant(constant.value());
    }
    if (number instanceof ProbeNumber.Cookie) {
      return new ScalarCode.InRegister(
          code.callForResult(Helper.GET_ATTACH_COOKIE, code.value(clause.context())));
    }
    if (number instanceof ProbeNumber.OfSystemCall call) {
      Register sum = ((SystemCallLayout) clause.layout()).number();
      code.alu(Width.W64, AluOp.ADD, sum, call.base());
      return new ScalarCode.InRegister(sum);
    }
    throw new IllegalStateException("no number for " + clause.clause().clause().point());
  }
}
