package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.Scalar.Constant;
import dev.ply.bpf.codegen.Scalar.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import java.util.Optional;

/** Compiles reads of the program's context: a tracepoint's record, or saved registers. */
final class RecordCompiler {
  /** What programs may not read: the kernel keeps a pointer of its own where these fields are. */
  private static final int HIDDEN = 8;

  private final ClauseCompiler clause;
  private final CodeBuilder code;

  RecordCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns where a member of the context lies. */
  Place field(Expr.Member member) {
    Type base = clause.clause().typeOf(member.base());
    StructType struct = (StructType) (base instanceof PointerType p ? p.target() : base);
    return new Place(clause.context(), struct.field(member.name()).orElseThrow().offset());
  }

  /** Returns a field that stands where programs may not read, from where else it is known. */
  Optional<Scalar> common(String name) {
    return switch (name) {
      case "common_type" -> clause.clause().tracepoint().map(format -> new Constant(format.id()));
      case "common_pid" ->
          Optional.of(new InRegister(code.callForResult(Helper.GET_CURRENT_PID_TGID)));
      default -> Optional.empty();
    };
  }

  /**
   * Writes the data that a field says where it is; what there is too much of is cut, and then ends
   * in a NUL.
   *
   * @param size the bytes to write, zeroes behind the data
   */
  void dynamic(Expr field, Place to, int size) {
    code.zero(to, Math.max(1, size));
    if (size == 0) {
      return;
    }
    Register location =
        clause.arithmetic().register(clause.expressions().scalar(field, IntType.U64));
    Register length = code.fresh();
    code.move(length, location);
    code.alu(Width.W64, AluOp.RSH, length, 16);
    Register read = code.fresh();
    Label fits = code.label("fits");
    Label end = code.label("dynamic");
    code.move(read, length);
    code.jump(Width.W64, JumpOp.JLE, length, new Immediate(size), fits);
    code.constant(read, size);
    code.place(fits);
    Register address = code.fresh();
    code.move(address, location);
    code.alu(Width.W64, AluOp.AND, address, 0xffff);
    Register start = code.fresh();
    code.move(start, clause.context());
    code.alu(Width.W64, AluOp.ADD, start, address);
    code.call(Helper.PROBE_READ_KERNEL, code.address(to), code.value(read), code.value(start));
    code.jump(Width.W64, JumpOp.JLE, length, new Immediate(size), end);
    code.store(Size.B, to.plus(size - 1), new Immediate(0));
    code.place(end);
  }

  /** Writes the whole context. */
  void write(Place to, int size) {
    Optional<TracepointFormat> format = clause.clause().tracepoint();
    int hidden = format.isPresent() ? HIDDEN : 0;
    format.ifPresent(present -> writeHidden(present, to));
    code.copy(new Place(clause.context(), hidden), to.plus(hidden), size - hidden);
  }

  private void writeHidden(TracepointFormat format, Place to) {
    code.zero(to, HIDDEN);
    format
        .field("common_type")
        .ifPresent(
            field ->
                code.store(Size.H, to.plus(field.offset()), new Immediate((short) format.id())));
    format
        .field("common_pid")
        .ifPresent(
            field ->
                code.store(
                    Size.W,
                    to.plus(field.offset()),
                    code.callForResult(Helper.GET_CURRENT_PID_TGID)));
  }
}
