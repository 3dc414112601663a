package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.NamespaceBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Generates code for PID namespaces. */
public final class NamespaceCode {
  private NamespaceCode() {}

  /** Adds the generators of the built-ins of PID namespaces. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(
        NamespaceBuiltins.PIDNS,
        Cost.MEMORY,
        (clause, call) ->
            new InRegister(
                new NamespaceIds(clause)
                    .inode(clause.code().callForResult(Helper.GET_CURRENT_TASK))));
    codes.scalar(NamespaceBuiltins.IN_PIDNS, Cost.MEMORY, NamespaceCode::isIn);
  }

  private static ScalarCode isIn(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    ScalarCode argument = clause.expressions().scalar(call.arguments().get(0), IntType.U64);
    Register inode = code.fresh();
    code.move(inode, clause.arithmetic().operand(argument, IntType.U64));
    Register task = code.callForResult(Helper.GET_CURRENT_TASK);
    Register isIn = code.fresh();
    code.move(isIn, new NamespaceIds(clause).ofThread(task, inode));
    Label done = code.label("compared");
    code.jump(Width.W64, JumpOp.JEQ, isIn, new Immediate(0), done);
    code.move(isIn, new Immediate(1));
    code.place(done);
    return new InRegister(isIn);
  }
}
