package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.BuiltinCode.Scalar;
import dev.ply.bpf.isa.Helper;
import dev.ply.builtin.ClockBuiltins;

/** Generates the code that reads the kernel's clocks. */
final class ClockCode {
  private ClockCode() {}

  static void addTo(BuiltinCodes codes) {
    codes.scalar(ClockBuiltins.TIME, Cost.CLOCK, result(Helper.KTIME_GET_NS));
    codes.scalar(ClockBuiltins.WALLTIME, Cost.CLOCK, result(Helper.KTIME_GET_NS));
    codes.scalar(ClockBuiltins.NSECS, Cost.CLOCK, result(Helper.KTIME_GET_BOOT_NS));
  }

  private static Scalar result(Helper helper) {
    return (clause, call) -> new ScalarCode.InRegister(clause.code().callForResult(helper));
  }
}
