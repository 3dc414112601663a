package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Records;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;

/** Compiles reads of records and saved registers that do not fit a register. */
public final class RecordCompiler implements Records {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates loads from the probe's context of a clause. */
  public RecordCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  @Override
  public void copy(Expr expr, Place to, int size) {
    KernelMemoryCompiler kernel = new KernelMemoryCompiler(clause);
    if (kernel.isPlace(expr)) {
      kernel.read(expr, to, size);
    } else {
      code.copy(field(expr), to, size);
    }
  }

  @Override
  public Place field(Expr expr) {
    KernelMemoryCompiler kernel = new KernelMemoryCompiler(clause);
    if (kernel.isPlace(expr)) {
      int size = clause.clause().typeOf(expr).size();
      Place copy = clause.memory().allocate(size);
      kernel.read(expr, copy, size);
      return copy;
    }
    if (expr instanceof Expr.Element element) {
      // Indices of context elements are constants.
      long index = ((Expr.IntLiteral) element.index()).value();
      int size = clause.clause().typeOf(expr).size();
      return field(element.base()).plus(Math.toIntExact(index * size));
    }
    return clause.layout().place(clause.clause(), (Expr.Member) expr);
  }

  @Override
  public void dynamic(Expr field, Place to, int size, boolean marksCut) {
    code.zero(to, Math.max(1, size));
    if (size == 0) {
      return;
    }
    Register location =
        clause.arithmetic().register(clause.expressions().scalar(field, IntType.U64));
    Register address = code.fresh();
    code.move(address, location);
    code.alu(Width.W64, AluOp.AND, address, 0xffff);
    Register start = code.fresh();
    code.move(start, clause.context());
    code.alu(Width.W64, AluOp.ADD, start, address);
    Register length = code.fresh();
    code.move(length, location);
    code.alu(Width.W64, AluOp.RSH, length, 16);
    Label fits = code.label("fits");
    code.jump(Width.W64, JumpOp.JLE, length, new Immediate(size), fits);
    if (marksCut) {
      code.store(Size.B, to.plus(size - 1), new Immediate(ArrayType.CUT));
    }
    // A register of its own: verifiers forget the bounds of a value that is spilled.
    code.constant(length, size - 1);
    code.place(fits);
    code.call(Helper.PROBE_READ_KERNEL, code.address(to), code.value(length), code.value(start));
  }

  @Override
  public void write(Place to, int size) {
    clause.layout().write(clause.clause(), to, size);
  }
}
