package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Size;
import dev.ply.builtin.ClockBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Generates the code of strings that user space decodes. */
final class EncodedStringCode {
  private EncodedStringCode() {}

  static void addTo(BuiltinCodes codes) {
    codes.inMemory(
        ClockBuiltins.STRFTIME,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(1), to));
  }

  /** Writes a number, extended to 64 bits. */
  private static void number(ClauseCompiler clause, Expr value, Place to) {
    ScalarCode scalar = clause.expressions().scalar(value, IntType.U64);
    clause.code().store(Size.DW, to, clause.arithmetic().operand(scalar, IntType.U64));
  }
}
