package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.ir.Expr;
import dev.ply.target.Cgroups;
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
    codes.scalar(CgroupBuiltins.IN_CGROUP, Cost.HELPER, CgroupCode::isBelow);
    codes.scalar(
        CgroupBuiltins.CGROUP_PATH,
        Cost.REGISTER,
        (clause, call) -> clause.expressions().scalar(call.arguments().get(0), IntType.U64));
  }

  private static ScalarCode id(ClauseCode clause, Expr.Call call) {
    return new Constant(cgroup(clause, call).id());
  }

  private static Cgroups.Cgroup cgroup(ClauseCode clause, Expr.Call call) {
    String directory = ((Expr.StringLiteral) call.arguments().get(0)).value();
    return clause.script().target().cgroups().at(directory).orElseThrow();
  }

  /** Compares the ancestor at the cgroup's level, at each level that it can be at. */
  private static ScalarCode isBelow(ClauseCode clause, Expr.Call call) {
    Cgroups.Cgroup cgroup = cgroup(clause, call);
    CodeBuilder code = clause.code();
    Register isBelow = code.fresh();
    Label done = code.label("compared");
    Register id = code.fresh();
    code.constant(id, cgroup.id());
    for (int level = cgroup.level(); level <= cgroup.level() + cgroup.hidden(); level++) {
      Register ancestor = code.fresh();
      code.move(
          ancestor, code.callForResult(Helper.GET_CURRENT_ANCESTOR_CGROUP_ID, code.value(level)));
      code.move(isBelow, new Immediate(1));
      code.jump(Width.W64, JumpOp.JEQ, ancestor, id, done);
      code.move(isBelow, new Immediate(0));
      if (level < cgroup.level() + cgroup.hidden()) {
        code.jump(Width.W64, JumpOp.JEQ, ancestor, new Immediate(0), done);
      }
    }
    code.place(done);
    return new InRegister(isBelow);
  }
}
