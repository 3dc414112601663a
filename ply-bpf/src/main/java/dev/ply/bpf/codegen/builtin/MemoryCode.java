package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinCode.Scalar;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.value.BoundedLength;
import dev.ply.bpf.codegen.value.KernelMemoryCompiler;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import java.util.function.IntFunction;

/** Generates code that reads memory. */
public final class MemoryCode {
  private MemoryCode() {}

  /** Adds the generators of the built-ins of memory. */
  public static void addTo(BuiltinTable codes) {
    codes.inMemory(MemoryBuiltins.STR, Cost.MEMORY, new PaddedString());
    codes.inMemory(MemoryBuiltins.QUOTED, Cost.MEMORY, MemoryCode::quoted);
    codes.inMemory(MemoryBuiltins.MEM, Cost.MEMORY, MemoryCode::bytes);
    codes.inMemory(MemoryBuiltins.BUF, Cost.MEMORY, new BufferCode());
    codes.inMemory(MemoryBuiltins.WORDS, Cost.MEMORY, new BufferCode());
    codes.inMemory(MemoryBuiltins.DYN, Cost.MEMORY, MemoryCode::dynamic);
    // The address space is a matter of types.
    Scalar address = (clause, call) -> clause.expressions().scalar(call.arguments().get(0));
    codes.scalar(MemoryBuiltins.UPTR, Cost.REGISTER, address);
    codes.scalar(MemoryBuiltins.KPTR, Cost.REGISTER, address);
    codes.scalar(MemoryBuiltins.ANYPTR, Cost.REGISTER, address);
  }

  /** Generates the read of a NUL-terminated string. */
  private static final class PaddedString implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      if (MemoryBuiltins.isDynamic(clause.clause().typeOf(call.arguments().get(0)))) {
        dynamic(clause, call, to, size);
        return;
      }
      Source source = source(clause, call);
      // The helper does not clear the bytes after the NUL, but strings are compared as a whole.
      clause.code().zero(to, size);
      read(clause.code(), source, to, length(clause, call, size));
    }

    @Override
    public void writeMarked(ClauseCode clause, Expr.Call call, Place to, int size) {
      if (MemoryBuiltins.isDynamic(clause.clause().typeOf(call.arguments().get(0)))) {
        dynamic(clause, call, to, size);
        return;
      }
      CodeBuilder code = clause.code();
      Source source = source(clause, call);
      code.zero(to, size);
      Register length = read(code, source, to, length(clause, call, size));
      Label full = code.label("full");
      Label done = code.label("read");
      code.jump(Width.W64, JumpOp.JEQ, length, new Immediate(size), full);
      code.place(done);
      code.outOfLine(
          () -> {
            code.place(full);
            mark(code, source, to.plus(size - 1), size - 1, done);
            code.jump(done);
          });
    }

    @Override
    public boolean isPadded() {
      return true;
    }

    /** Where a string is read. */
    private record Source(AddressSpace space, IntFunction<CodeBuilder.Argument> at) {}

    private static Source source(ClauseCode clause, Expr.Call call) {
      CodeBuilder code = clause.code();
      Expr source = call.arguments().get(0);
      if (!clause.clause().typeOf(source).isText()) {
        return source(code, clause.clause().spaceOf(source), pointer(clause, source));
      }
      KernelMemoryCompiler memory = new KernelMemoryCompiler(clause);
      if (memory.isPlace(source)) {
        return source(code, memory.space(source), memory.address(source));
      }
      Place place = clause.texts().place(source);
      return new Source(AddressSpace.KERNEL, offset -> code.address(place.plus(offset)));
    }

    private static Source source(CodeBuilder code, AddressSpace space, Register pointer) {
      return new Source(space, offset -> code.address(new Place(pointer, offset)));
    }

    /** Returns the number of bytes read, including the NUL. */
    private static Register read(CodeBuilder code, Source source, Place to, Operand size) {
      return code.callForResult(
          stringReader(source.space()), code.address(to), code.value(size), source.at().apply(0));
    }

    /** Marks a string as cut if there is a character at {@code offset}, where its NUL was put. */
    private static void mark(CodeBuilder code, Source source, Place last, int offset, Label done) {
      // There may be nothing after a string that fits.
      code.withoutErrors(
          () ->
              code.call(
                  KernelMemoryCompiler.reader(source.space()),
                  code.address(last),
                  code.value(1),
                  source.at().apply(offset)));
      Register next = code.fresh();
      code.load(Size.B, next, last);
      code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0), done);
      code.store(Size.B, last, new Immediate(ArrayType.CUT));
    }
  }

  private static void dynamic(ClauseCode clause, Expr.Call call, Place to, int size) {
    boolean marksCut = clause.clause().typeOf(call) instanceof ArrayType array && array.marksCut();
    clause.records().dynamic(call.arguments().get(0), to, isEmpty(call) ? 0 : size, marksCut);
  }

  private static void bytes(ClauseCode clause, Expr.Call call, Place to, int size) {
    if (isEmpty(call)) {
      clause.code().zero(to, size);
    } else {
      // The helper zeroes the buffer if memory cannot be read.
      read(clause, call, to, size);
    }
  }

  /** Returns whether the size is 0. */
  private static boolean isEmpty(Expr.Call call) {
    return call.arguments().size() == 2
        && call.arguments().get(1) instanceof Expr.IntLiteral size
        && size.value() == 0;
  }

  /** Writes what the helper returned, then the string. */
  private static void quoted(ClauseCode clause, Expr.Call call, Place to, int size) {
    CodeBuilder code = clause.code();
    Place string = to.plus(Long.BYTES);
    EncodedString type = (EncodedString) clause.clause().typeOf(call);
    int bytes = ((Encoding.QuotedString) type.encoding()).bytes();
    Expr address = call.arguments().get(0);
    Register pointer = pointer(clause, address);
    code.zero(string, size - Long.BYTES);
    Register result =
        code.callForResult(
            stringReader(clause.clause().spaceOf(address)),
            code.address(string),
            code.value(bytes),
            code.value(pointer));
    code.store(Size.DW, to, result);
  }

  private static Helper stringReader(AddressSpace space) {
    return switch (space) {
      case USER -> Helper.PROBE_READ_USER_STR;
      case ANY -> Helper.PROBE_READ_STR;
      case KERNEL, CONTEXT -> Helper.PROBE_READ_KERNEL_STR;
    };
  }

  private static void read(ClauseCode clause, Expr.Call call, Place to, int size) {
    CodeBuilder code = clause.code();
    Expr address = call.arguments().get(0);
    Register pointer = pointer(clause, address);
    code.call(
        KernelMemoryCompiler.reader(clause.clause().spaceOf(address)),
        code.address(to),
        code.value(length(clause, call, size)),
        code.value(pointer));
  }

  /** Computes an address. */
  static Register pointer(ClauseCode clause, Expr address) {
    return clause.arithmetic().register(clause.expressions().scalar(address, IntType.U64));
  }

  private static Operand length(ClauseCode clause, Expr.Call call, int size) {
    boolean isConstant =
        call.arguments().size() == 1 || call.arguments().get(1) instanceof Expr.IntLiteral;
    return isConstant
        ? new Immediate(size)
        : BoundedLength.compile(clause, call.arguments().get(1), size);
  }
}
