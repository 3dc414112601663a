package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.BuiltinCode.Scalar;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.AddressSpace;
import dev.ply.type.Type.IntType;

/** Generates code that reads memory. */
final class MemoryCode {
  private MemoryCode() {}

  static void addTo(BuiltinCodes codes) {
    codes.inMemory(MemoryBuiltins.STR, Cost.MEMORY, new PaddedString());
    codes.inMemory(MemoryBuiltins.MEM, Cost.MEMORY, MemoryCode::bytes);
    codes.inMemory(
        MemoryBuiltins.DYN,
        Cost.MEMORY,
        (clause, call, to, size) ->
            clause.records().dynamic(call.arguments().get(0), to, isEmpty(call) ? 0 : size));
    // The address space is a matter of types.
    Scalar address = (clause, call) -> clause.expressions().scalar(call.arguments().get(0));
    codes.scalar(MemoryBuiltins.UPTR, Cost.REGISTER, address);
    codes.scalar(MemoryBuiltins.KPTR, Cost.REGISTER, address);
  }

  /** Generates the read of a NUL-terminated string. */
  private static final class PaddedString implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCompiler clause, Expr.Call call, Place to, int size) {
      // The helper does not clear the bytes after the NUL, but strings are compared as a whole.
      clause.code().zero(to, size);
      Expr source = call.arguments().get(0);
      if (clause.clause().typeOf(source).isText()) {
        array(clause, source, to, size);
        return;
      }
      read(clause, call, to, size, Helper.PROBE_READ_USER_STR, Helper.PROBE_READ_KERNEL_STR);
    }

    private static void array(ClauseCompiler clause, Expr array, Place to, int size) {
      CodeBuilder code = clause.code();
      KernelMemoryCompiler memory = new KernelMemoryCompiler(clause);
      boolean isPlace = memory.isPlace(array);
      Helper helper =
          isPlace && memory.space(array) == AddressSpace.USER
              ? Helper.PROBE_READ_USER_STR
              : Helper.PROBE_READ_KERNEL_STR;
      code.call(
          helper,
          code.address(to),
          code.value(size),
          isPlace ? code.value(memory.address(array)) : code.address(clause.texts().place(array)));
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  private static void bytes(ClauseCompiler clause, Expr.Call call, Place to, int size) {
    if (isEmpty(call)) {
      clause.code().zero(to, size);
    } else {
      // The helper zeroes the buffer if memory cannot be read.
      read(clause, call, to, size, Helper.PROBE_READ_USER, Helper.PROBE_READ_KERNEL);
    }
  }

  /** Returns whether the size is 0. */
  private static boolean isEmpty(Expr.Call call) {
    return call.arguments().size() == 2
        && call.arguments().get(1) instanceof Expr.IntLiteral size
        && size.value() == 0;
  }

  private static void read(
      ClauseCompiler clause, Expr.Call call, Place to, int size, Helper ofUser, Helper ofKernel) {
    CodeBuilder code = clause.code();
    Expr address = call.arguments().get(0);
    Register pointer =
        clause.arithmetic().register(clause.expressions().scalar(address, IntType.U64));
    code.call(
        clause.clause().spaceOf(address) == AddressSpace.USER ? ofUser : ofKernel,
        code.address(to),
        code.value(size),
        code.value(pointer));
  }
}
