package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.builtin.catalog.MachineBuiltins;

/** Generates code for facts about the machine. */
final class MachineCode {
  private MachineCode() {}

  static void addTo(BuiltinTable codes) {
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
