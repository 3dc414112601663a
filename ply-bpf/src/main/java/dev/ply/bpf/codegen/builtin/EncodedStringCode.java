package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Generates code for strings that user space decodes. */
public final class EncodedStringCode {
  private EncodedStringCode() {}

  /** Adds the generators of the built-ins of strings that user space decodes. */
  public static void addTo(BuiltinTable codes) {
    codes.inMemory(
        ClockBuiltins.STRFTIME,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(1), to));
    codes.inMemory(
        ErrorBuiltins.STRERROR,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(0), to));
    codes.inMemory(
        ThreadBuiltins.COMM_OF,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(0), to));
    codes.inMemory(
        ErrorBuiltins.SIGNAL_NAME,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(0), to));
    codes.inMemory(
        ErrorBuiltins.SYSCALL_NAME,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(0), to));
    codes.inMemory(
        ThreadBuiltins.USERNAME, Cost.HELPER, (clause, call, to, size) -> user(clause, to));
    codes.inMemory(
        CgroupBuiltins.CONTAINER, Cost.HELPER, (clause, call, to, size) -> cgroup(clause, to));
    codes.inMemory(CgroupBuiltins.POD, Cost.HELPER, (clause, call, to, size) -> cgroup(clause, to));
    codes.inMemory(
        ContextBuiltins.FUNC,
        Cost.REGISTER,
        (clause, call, to, size) -> number(clause, call.arguments().get(0), to));
    codes.inMemory(
        SymbolBuiltins.USYM, Cost.HELPER, (clause, call, to, size) -> symbol(clause, call, to));
  }

  private static void user(ClauseCode clause, Place to) {
    CodeBuilder code = clause.code();
    Register user = code.fresh();
    code.move(user, code.callForResult(Helper.GET_CURRENT_UID_GID));
    code.alu(Width.W64, AluOp.LSH, user, 32);
    code.alu(Width.W64, AluOp.RSH, user, 32);
    code.store(Size.DW, to, user);
  }

  private static void cgroup(ClauseCode clause, Place to) {
    CodeBuilder code = clause.code();
    code.store(Size.DW, to, code.callForResult(Helper.GET_CURRENT_CGROUP_ID));
  }

  private static void symbol(ClauseCode clause, Expr.Call call, Place to) {
    number(clause, call.arguments().get(0), to);
    CodeBuilder code = clause.code();
    Register process = code.callForResult(Helper.GET_CURRENT_PID_TGID);
    code.alu(Width.W64, AluOp.RSH, process, 32);
    code.store(Size.DW, to.plus(Long.BYTES), process);
  }

  /** Writes a number, extended to 64 bits. */
  private static void number(ClauseCode clause, Expr value, Place to) {
    ScalarCode scalar = clause.expressions().scalar(value, IntType.U64);
    clause.code().store(Size.DW, to, clause.arithmetic().operand(scalar, IntType.U64));
  }
}
