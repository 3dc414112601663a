package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Generates code for cgroups. */
public final class CgroupCode {
  private CgroupCode() {}

  /** Adds the generators of the built-ins of cgroups. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(
        CgroupBuiltins.CGROUP,
        Cost.HELPER,
        (clause, call) ->
            new InRegister(clause.code().callForResult(Helper.GET_CURRENT_CGROUP_ID)));
    codes.scalar(CgroupBuiltins.CGROUPID, Cost.REGISTER, CgroupCode::id);
    codes.scalar(
        CgroupBuiltins.CGROUP_PATH,
        Cost.REGISTER,
        (clause, call) -> clause.expressions().scalar(call.arguments().get(0), IntType.U64));
  }

  private static ScalarCode id(ClauseCode clause, Expr.Call call) {
    String directory = ((Expr.StringLiteral) call.arguments().get(0)).value();
    return new Constant(clause.script().target().cgroups().at(directory).orElseThrow().id());
  }
}
