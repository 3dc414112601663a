package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode.Scalar;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Helper;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.ir.Expr;

/** Generates the code that reads the kernel's clocks. */
public final class ClockCode {
  private ClockCode() {}

  /** Adds the generators of the built-ins of clocks. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(ClockBuiltins.TIME, Cost.CLOCK, result(Helper.KTIME_GET_NS));
    codes.scalar(ClockBuiltins.WALLTIME, Cost.CLOCK, result(Helper.KTIME_GET_NS));
    codes.scalar(ClockBuiltins.NSECS, Cost.CLOCK, ClockCode::nanos);
  }

  private static ScalarCode nanos(ClauseCode clause, Expr.Call call) {
    Helper helper =
        switch (ClockBuiltins.mode(call)) {
          case BOOT -> Helper.KTIME_GET_BOOT_NS;
          case MONOTONIC -> Helper.KTIME_GET_NS;
          case TAI, SW_TAI -> Helper.KTIME_GET_TAI_NS;
        };
    return result(helper).compile(clause, call);
  }

  private static Scalar result(Helper helper) {
    return (clause, call) -> new ScalarCode.InRegister(clause.code().callForResult(helper));
  }
}
