package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.builtin.catalog.MachineBuiltins;

/** Generates code for facts about the machine. */
public final class MachineCode {
  private MachineCode() {}

  /** Adds the generators of the built-ins of the machine. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(
        MachineBuiltins.NUMAID,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.GET_NUMA_NODE_ID)));
    codes.scalar(
        MachineBuiltins.NCPUS,
        Cost.REGISTER,
        (clause, call) -> new ScalarCode.Constant(clause.script().target().cpus()));
    codes.scalar(
        MachineBuiltins.JIFFIES,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.JIFFIES64)));
  }
}
