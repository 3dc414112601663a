package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.value.BoundedLength;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.Expr;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.Type.IntType;

/** Generates code for {@code buf}: the number of bytes, then the bytes. */
final class BufferCode implements BuiltinCode.InMemory {
  @Override
  public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
    Place bytes = to.plus(Encoding.Buffer.LENGTH_BYTES);
    int capacity = size - Encoding.Buffer.LENGTH_BYTES;
    Expr source = call.arguments().get(0);
    boolean isConstant =
        call.arguments().size() == 1 || call.arguments().get(1) instanceof Expr.IntLiteral;
    CodeBuilder code = clause.code();
    if (isConstant) {
      code.store(Size.W, to, new Immediate(capacity));
    }
    if (!clause.clause().typeOf(source).isScalar()) {
      code.copy(clause.texts().place(source), bytes, capacity);
    } else if (isConstant) {
      if (capacity > 0) {
        code.call(
            helper(clause, source),
            code.address(bytes),
            code.value(capacity),
            code.value(pointer(clause, source)));
      }
    } else {
      code.zero(bytes, capacity);
      Register pointer = pointer(clause, source);
      Register length = BoundedLength.compile(clause, call.arguments().get(1), capacity);
      code.store(Size.W, to, length);
      code.call(
          helper(clause, source), code.address(bytes), code.value(length), code.value(pointer));
    }
  }

  /** The helper zeroes the bytes if memory cannot be read. */
  private static Helper helper(ClauseCode clause, Expr address) {
    return clause.clause().spaceOf(address) == AddressSpace.USER
        ? Helper.PROBE_READ_USER
        : Helper.PROBE_READ_KERNEL;
  }

  private static Register pointer(ClauseCode clause, Expr address) {
    return clause.arithmetic().register(clause.expressions().scalar(address, IntType.U64));
  }
}
