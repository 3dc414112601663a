package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.value.BoundedLength;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.SystemBuiltins;
import dev.ply.ir.Expr;
import dev.ply.result.Loss;
import dev.ply.type.Type.IntType;

/** Generates code that changes the system: signals, results of functions. */
public final class ActionCode {
  private ActionCode() {}

  /** Adds the generators of the built-ins of actions on the system. */
  public static void addTo(BuiltinTable codes) {
    codes.action(SystemBuiltins.SIGNAL, (clause, call) -> signal(clause, call, Helper.SEND_SIGNAL));
    codes.action(
        SystemBuiltins.SIGNAL_THREAD,
        (clause, call) -> signal(clause, call, Helper.SEND_SIGNAL_THREAD));
    codes.action(SystemBuiltins.OVERRIDE, ActionCode::override);
    codes.scalar(SystemBuiltins.WRITE_USER, Cost.HELPER, ActionCode::writeUser);
    codes.action(SystemBuiltins.DEBUGF, new TracePrint()::print);
  }

  private static void signal(ClauseCode clause, Expr.Call call, Helper helper) {
    CodeBuilder code = clause.code();
    Operand number = number(clause, call.arguments().get(0));
    Register error = code.callForResult(helper, code.value(number));
    Label failed = code.label("unsent");
    Label sent = code.label("sent");
    code.jump(Width.W64, JumpOp.JNE, error, new Immediate(0), failed);
    code.place(sent);
    code.outOfLine(
        () -> {
          code.place(failed);
          new LossCounter(code, clause.object()).count(Loss.SIGNALS, sent);
        });
  }

  private static Operand number(ClauseCode clause, Expr signal) {
    if (signal instanceof Expr.StringLiteral name) {
      long number = SystemBuiltins.signal(name.value(), clause.script().target()).orElseThrow();
      return new Immediate(Math.toIntExact(number));
    }
    return clause
        .arithmetic()
        .operand(clause.expressions().scalar(signal, IntType.U32), IntType.U32);
  }

  private static void override(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    Register result =
        clause
            .arithmetic()
            .register(clause.expressions().scalar(call.arguments().get(0), IntType.U64));
    code.call(Helper.OVERRIDE_RETURN, code.value(clause.context()), code.value(result));
  }

  private static ScalarCode writeUser(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    Expr source = call.arguments().get(1);
    Expr bytes = call.arguments().get(2);
    int size = clause.clause().typeOf(source).size();
    Register address =
        clause
            .arithmetic()
            .register(clause.expressions().scalar(call.arguments().get(0), IntType.U64));
    Place place = clause.texts().place(source);
    Register written = code.fresh();
    Label end = code.label("written");
    code.constant(written, 0);
    Operand length = new Immediate(size);
    if (bytes instanceof Expr.IntLiteral literal) {
      length = new Immediate(Math.toIntExact(literal.value()));
    } else {
      Register bounded = BoundedLength.compile(clause, bytes, size);
      code.jump(Width.W64, JumpOp.JLT, bounded, new Immediate(1), end);
      length = bounded;
    }
    Register error =
        code.callForResult(
            Helper.PROBE_WRITE_USER, code.value(address), code.address(place), code.value(length));
    code.jump(Width.W64, JumpOp.JNE, error, new Immediate(0), end);
    code.constant(written, 1);
    code.place(end);
    return new ScalarCode.InRegister(written);
  }
}
